/** Programs of several ranks: what they are, what they are given, and how they start. */
package dev.tandem.core.launch;
