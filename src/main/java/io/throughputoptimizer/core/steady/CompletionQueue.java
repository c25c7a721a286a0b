package io.throughputoptimizer.core.steady;

import java.util.Arrays;

/// Requests that decode, by the decode step that gives them their last token; those of one step in the order of
/// their numbers. A binary heap of numbers, since a simulation changes it once for every request.
final class CompletionQueue {
    private static final int REQUEST_BITS = 20;
    private static final long REQUEST_MASK = (1L << REQUEST_BITS) - 1;

    /// Most requests of a simulation, whose numbers must fit beside their steps.
    static final int MOST_REQUESTS = 1 << REQUEST_BITS;

    private static final int FIRST_LENGTH = 64;

    private long[] heap = new long[FIRST_LENGTH];
    private int size;

    /// The step of the next last token, or none that is ever reached.
    long firstStep() {
        return size == 0 ? Long.MAX_VALUE : heap[0] >> REQUEST_BITS;
    }

    void add(long step, int request) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        long key = step << REQUEST_BITS | request;
        int hole = size;
        size++;
        while (hole > 0 && heap[(hole - 1) / 2] > key) {
            heap[hole] = heap[(hole - 1) / 2];
            hole = (hole - 1) / 2;
        }
        heap[hole] = key;
    }

    /// The request of the next last token.
    int removeFirst() {
        long first = heap[0];
        size--;
        long key = heap[size];
        int hole = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && heap[child + 1] < heap[child]) {
                child++;
            }
            if (heap[child] >= key) {
                break;
            }
            heap[hole] = heap[child];
            hole = child;
            child = 2 * hole + 1;
        }
        heap[hole] = key;
        return (int) (first & REQUEST_MASK);
    }
}
