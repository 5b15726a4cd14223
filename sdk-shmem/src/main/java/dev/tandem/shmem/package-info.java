/** The symmetric heap: memory that every rank allocates alike, so that an offset names the same object on every rank. */
package dev.tandem.shmem;
