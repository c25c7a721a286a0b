package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.core.workload.PrefixReuse;
import java.util.Arrays;

/// Numbers ids of blocks from 0 as they come up first. Open addressing over plain arrays, since a trace has millions.
/// Used by one thread.
final class BlockIds {
    /// The number of ids beyond [PrefixReuse#MOST_BLOCKS].
    static final int TOO_MANY = -1;

    private static final int SMALLEST = 1 << 10;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private long[] ids = new long[SMALLEST];
    private int[] numbers = filled(SMALLEST);
    private int size;

    /// @return the number of an id, or [#TOO_MANY]
    int number(long id) {
        int slot = slot(id);
        if (numbers[slot] == TOO_MANY && size < PrefixReuse.MOST_BLOCKS) {
            ids[slot] = id;
            numbers[slot] = size;
            size++;
            if (2 * size > ids.length) {
                grow();
                return size - 1;
            }
        }
        return numbers[slot];
    }

    private int slot(long id) {
        int mask = ids.length - 1;
        int slot = (int) ((id * MIX) >>> 32) & mask;
        while (numbers[slot] != TOO_MANY && ids[slot] != id) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] smaller = ids;
        int[] numbered = numbers;
        ids = new long[2 * smaller.length];
        numbers = filled(ids.length);
        for (int old = 0; old < smaller.length; old++) {
            if (numbered[old] != TOO_MANY) {
                int slot = slot(smaller[old]);
                ids[slot] = smaller[old];
                numbers[slot] = numbered[old];
            }
        }
    }

    private static int[] filled(int length) {
        int[] empty = new int[length];
        Arrays.fill(empty, TOO_MANY);
        return empty;
    }
}
