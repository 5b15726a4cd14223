/** The profiler: how much communication was hidden behind computation, and who was late. */
package dev.tandem.profiler;
