package dev.tandem.kernels.tile;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * Marks a method that runs on the cores of a device.
 *
 * <p>A kernel is a static method {@code void name(Core core, A args)}. It computes with primitives, {@link Tile},
 * {@link View}, {@link Target}, tokens and records of these, in loops and branches, and calls other such methods; it
 * makes no objects of its own, so that it stays compilable for an accelerator.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@java.lang.annotation.Target(ElementType.METHOD)
public @interface Kernel {
}
