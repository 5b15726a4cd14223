/** The commands that the profiler adds to {@code tandem}. */
package dev.tandem.profiler.internal.cli;
