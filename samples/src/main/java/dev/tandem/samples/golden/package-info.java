/** References that the samples compare with; they share no code with what they check. */
package dev.tandem.samples.golden;
