/** Symmetric memory: the heap that every rank can reach, one-sided operations, signals. */
module dev.tandem.shmem {
    requires transitive dev.tandem.core;

    exports dev.tandem.shmem;
    exports dev.tandem.shmem.transport;

    // provider methods of the module class
    opens dev.tandem.shmem to com.google.guice;
}
