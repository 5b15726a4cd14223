/**
 * The symmetric heap: memory that every rank allocates alike, so that an offset names the same object on every rank.
 *
 * {@snippet :
 * SymmetricTensor inbox = heap.createTensor("inbox", DType.F32, 1024);
 * SignalArray full = heap.createSignals("full", List.of("source"), heap.size());
 * inbox.put(peer, 0, mine);
 * full.set(peer, full.slot(heap.rank()), round);
 * Token arrived = full.waitUntil(full.slot(source), Comparison.AT_LEAST, round);
 * Tensor data = inbox.local();
 * }
 */
package dev.tandem.shmem;
