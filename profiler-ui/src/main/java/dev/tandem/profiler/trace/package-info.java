/**
 * What a trace is, whatever file it came from: lanes of slices, in integer nanoseconds. Nothing here draws or reads files
 * of one format.
 *
 * <p>The main types are {@link dev.tandem.profiler.trace.Trace} and {@link dev.tandem.profiler.trace.Lane}:
 *
 * <pre>{@code
 * Trace trace = reader.read(Path.of("run.json.gz"), ImportProgress.NONE);
 * for (Lane lane : trace.lanes()) {
 *     for (int i = 0; i < lane.size(); i++) {
 *         longest = Math.max(longest, lane.durationNs(i));
 *     }
 * }
 * }</pre>
 */
package dev.tandem.profiler.trace;
