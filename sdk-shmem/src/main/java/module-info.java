/** Symmetric memory: the heap that every rank can reach, one-sided operations, signals. */
module dev.tandem.shmem {
    requires transitive dev.tandem.core;
}
