package io.throughputoptimizer.core.load;

import java.util.Arrays;

/// Queue of decoding requests by the step of their last token, then by their numbers. A binary heap of numbers,
/// since a simulation changes it once for every request.
final class CompletionQueue {
    private static final int REQUEST_BITS = 20;
    private static final long REQUEST_MASK = (1L << REQUEST_BITS) - 1;

    /// Maximum number of requests of a simulation: their numbers and steps share one long value.
    static final int MOST_REQUESTS = 1 << REQUEST_BITS;

    private static final int FIRST_LENGTH = 64;

    private long[] heap = new long[FIRST_LENGTH];
    private int size;

    /// Returns the step of the next last token; the maximum value if the queue is empty.
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

    /// Removes and returns the request of the next last token.
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
