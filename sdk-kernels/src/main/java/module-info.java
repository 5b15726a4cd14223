/** Kernels: the tile language, its runtime, the matrix engine and the fused kernels. */
module dev.tandem.kernels {
    requires transitive dev.tandem.shmem;
    requires org.bytedeco.dnnl;
    requires org.bytedeco.javacpp;
}
