/**
 * The window. Made and touched on the event thread only; a trace is read on a worker thread and arrives as a finished
 * {@link dev.tandem.profiler.internal.report.Report}.
 */
package dev.tandem.profiler.internal.ui;
