/** The figures of a trace as text and as JSON. */
package dev.tandem.profiler.internal.report;
