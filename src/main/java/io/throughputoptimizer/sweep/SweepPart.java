package io.throughputoptimizer.sweep;

import java.util.UUID;

/// A part of a sweep that is in the queue: the judgement of its cells, or one of its chunks.
///
/// @param chunk number from 0; [#CHECK] for the judgement
record SweepPart(UUID sweep, int chunk) {
    static final int CHECK = -1;

    private static final int LENGTH_OF_ID = 36;

    /// Parses a queue entry written by [#entry].
    static SweepPart of(String entry) {
        return new SweepPart(
                UUID.fromString(entry.substring(0, LENGTH_OF_ID)), Integer.parseInt(entry.substring(LENGTH_OF_ID + 1)));
    }

    boolean isCheck() {
        return chunk == CHECK;
    }

    /// Its name in the queue: begins with the id, and sorts by the number.
    String entry() {
        return isCheck() ? sweep + ":" + CHECK : "%s:%08d".formatted(sweep, chunk);
    }
}
