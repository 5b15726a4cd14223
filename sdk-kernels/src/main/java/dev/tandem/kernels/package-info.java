/** Distributed kernels on tiles: what they are written in, what runs them, and the fused ones that come with Tandem. */
package dev.tandem.kernels;
