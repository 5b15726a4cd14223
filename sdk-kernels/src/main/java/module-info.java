/** Kernels: the tile language, its runtime, the matrix engine and the fused kernels. */
module dev.tandem.kernels {
    requires transitive dev.tandem.shmem;
    exports dev.tandem.kernels.matrix;

    requires org.bytedeco.dnnl;
    requires org.bytedeco.javacpp;
}
