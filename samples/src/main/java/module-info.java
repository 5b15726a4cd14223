/** The tutorials: one program each, for an IDE's Run button and for the tandem command. */
module dev.tandem.samples {
    requires transitive dev.tandem.kernels;
    requires info.picocli;

    exports dev.tandem.samples;

    // options are fields, and picocli sets them
    opens dev.tandem.samples to info.picocli;

    provides dev.tandem.core.launch.Sample with dev.tandem.samples.AllGatherGemmEntry;
}
