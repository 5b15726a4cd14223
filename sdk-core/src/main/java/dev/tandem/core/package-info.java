/**
 * What every part of Tandem stands on: the one family of failures and the one class of argument checks.
 *
 * <p>Start with {@code dev.tandem.core.launch.Tandem} to run a program on several ranks, with
 * {@link dev.tandem.core.world.World} for what a rank knows of its job, and with
 * {@code dev.tandem.core.tensor.Tensor} for data.
 */
package dev.tandem.core;
