/** Data: element types, tensors over memory segments, conversions, random values and comparison. */
package dev.tandem.core.tensor;
