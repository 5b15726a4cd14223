/** The heap's own parts: layout, allocator, and shared-memory files as transport. */
package dev.tandem.shmem.internal;
