/**
 * Overlap, computed once, for the window, the reports and the command line alike. Headless, exact, in integer
 * nanoseconds. Times are lengths of unions of intervals, never sums over lanes that run side by side.
 *
 * <p>The main type is {@link dev.tandem.profiler.analysis.RankOverlap}:
 *
 * <pre>{@code
 * for (RankOverlap rank : RankOverlap.of(trace)) {
 *     double hidden = rank.hiddenShare().orElse(Double.NaN);
 *     long exposedNs = rank.exposedNs();
 * }
 * String sentence = Verdict.of(RankOverlap.of(trace));
 * }</pre>
 */
package dev.tandem.profiler.analysis;
