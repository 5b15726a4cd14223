/** Kernels: the tile language, its runtime, the matrix engine and the fused kernels. */
module dev.tandem.kernels {
    requires transitive dev.tandem.shmem;
    // what Guice needs and, being an automatic module, cannot say
    requires jakarta.inject;
    requires org.bytedeco.dnnl;
    requires org.bytedeco.javacpp;
    requires org.slf4j;

    exports dev.tandem.kernels;
    exports dev.tandem.kernels.fused;
    exports dev.tandem.kernels.matrix;
    exports dev.tandem.kernels.tile;

    // Guice calls the methods of FusedKernelsModule that make objects
    opens dev.tandem.kernels to com.google.guice;
}
