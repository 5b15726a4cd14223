/** What all samples do alike: inputs, and the exchange of verdicts. */
package dev.tandem.samples.harness;
