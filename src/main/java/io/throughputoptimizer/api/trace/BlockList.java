package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.trace.TraceReader.BrokenTrace;
import io.throughputoptimizer.core.workload.LengthCounts;
import io.throughputoptimizer.core.workload.PrefixReuse;
import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;

/// The blocks of one prompt after another, from its beginning, each with the number of its id. Used by one
/// thread.
final class BlockList {
    /// Member of Mooncake's traces that lists the blocks of a prompt.
    static final String MEMBER = "hash_ids";

    private final BlockIds ids = new BlockIds();
    private int[] numbers = new int[64];
    private int size;
    private boolean isThere;
    private boolean isTooMany;

    void clear() {
        size = 0;
        isThere = false;
    }

    /// Reads ids to the end of their list, after the token that starts it. Ids that are no whole numbers of
    /// 64 bits name no block.
    void read(JsonParser parser, long line) {
        boolean numbered = true;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_NUMBER_INT || parser.getNumberType() == NumberType.BIG_INTEGER) {
                numbered = false;
                parser.skipChildren();
            } else if (size == LengthCounts.MOST_TOKENS) {
                throw BrokenTrace.at(line, "must have at most " + LengthCounts.MOST_TOKENS + " " + MEMBER);
            } else {
                add(ids.number(parser.getLongValue()));
            }
        }
        isThere = numbered;
    }

    private void add(int number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * size);
        }
        numbers[size] = number;
        isTooMany |= number == BlockIds.TOO_MANY;
        size++;
    }

    /// Returns whether the prompt lists its blocks.
    boolean isThere() {
        return isThere;
    }

    /// Returns whether the trace has more distinct blocks than can be numbered.
    boolean isTooMany() {
        return isTooMany;
    }

    /// Returns the numbers of the blocks; only the first [#size()] are valid.
    int[] numbers() {
        return numbers;
    }

    int size() {
        return size;
    }

    /// Numbers ids of blocks from 0 as they come up first. Open addressing over plain arrays, since a trace
    /// has millions. Used by one thread.
    static final class BlockIds {
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
}
