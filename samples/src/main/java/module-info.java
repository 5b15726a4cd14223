/** The tutorials: one program each, for an IDE's Run button and for the tandem command. */
module dev.tandem.samples {
    requires dev.tandem.kernels;
    requires info.picocli;
}
