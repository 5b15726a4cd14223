/**
 * A rank's device as the host sees it: ordered queues of asynchronous work, events to wait for and to time, and the
 * processor slots that the device's logical cores share.
 *
 * <p>Each rank has one {@link dev.tandem.core.device.Device}. What is enqueued on one
 * {@link dev.tandem.core.device.Stream} runs in order; streams run side by side, and
 * {@link dev.tandem.core.device.Stream#waitFor} orders them where needed. Every wait of the host is bounded by the world's
 * timeout and fails at once when the job comes down.
 *
 * {@snippet :
 * Stream compute = device.createStream("compute");
 * Stream copy = device.createStream("copy");
 * Event ready = copy.enqueue("stage A", () -> staging.copyFrom(a));
 * compute.waitFor(ready);
 * Event multiplied = compute.enqueue("multiply", () -> engine.multiply(staging, b, c));
 * compute.synchronize();
 * }
 */
package dev.tandem.core.device;
