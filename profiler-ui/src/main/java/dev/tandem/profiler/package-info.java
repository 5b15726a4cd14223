/**
 * The profiler: how much communication was hidden behind computation, and who was late.
 *
 * <p>{@code tandem report FILE} and {@code tandem profiler FILE} are its commands. An application takes the pieces from
 * {@link dev.tandem.profiler.ProfilerModule}:
 *
 * <pre>{@code
 * TraceReader reader = Guice.createInjector(new ProfilerModule()).getInstance(TraceReader.class);
 * Trace trace = reader.read(Path.of("run.json.gz"), ImportProgress.NONE);
 * List<RankOverlap> ranks = RankOverlap.of(trace);
 * String sentence = Verdict.of(ranks);
 * }</pre>
 */
package dev.tandem.profiler;
