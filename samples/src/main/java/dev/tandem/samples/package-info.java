/** The tutorials, numbered lessons of one idea each. */
package dev.tandem.samples;
