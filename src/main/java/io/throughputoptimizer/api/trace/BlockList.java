package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.core.workload.LengthCounts;
import java.util.Arrays;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;

/// The blocks of one prompt after another, from its beginning, each with the number of its id. Used by one thread.
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

    /// Reads ids to the end of their list, after the token that starts it. Ids that are no whole numbers of 64 bits
    /// name no block.
    void read(JsonParser parser, long line) {
        boolean numbered = true;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token != JsonToken.VALUE_NUMBER_INT || parser.getNumberType() == NumberType.BIG_INTEGER) {
                numbered = false;
                parser.skipChildren();
            } else if (size == LengthCounts.MOST_TOKENS) {
                throw BrokenTrace.at(line, "has more than " + LengthCounts.MOST_TOKENS + " " + MEMBER);
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
}
