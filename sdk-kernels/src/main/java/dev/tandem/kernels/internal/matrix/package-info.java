/** The matrix engines: oneDNN through JavaCPP, its natives' extraction, and the plain-Java twin. */
package dev.tandem.kernels.internal.matrix;
