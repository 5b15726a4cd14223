/** Reads the Chrome trace-event format, which Perfetto, Ascend's and PyTorch's profilers write too. */
package dev.tandem.profiler.internal.chrome;
