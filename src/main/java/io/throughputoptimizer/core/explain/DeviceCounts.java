package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Inquiry.Answered;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import java.util.Optional;
import java.util.stream.IntStream;

/// The nearest device counts with which a question has an answer. Up to 31 devices every count is tried, beyond that
/// multiples of the largest power of two that is at most a sixteenth of them; down to half and up to four times as
/// many.
record DeviceCounts(Asked question, Inquiry inquiry) {
    private static final int STEPS = 16;
    private static final int MOST_TIMES = 4;

    Optional<Answered> fewer() {
        int now = question.deviceCount();
        return first(IntStream.rangeClosed(1, now - Math.ceilDiv(now, 2)).map(less -> now - less));
    }

    Optional<Answered> more() {
        int now = question.deviceCount();
        long most = Math.min(question.mostDevices(), (long) now * MOST_TIMES);
        return first(IntStream.rangeClosed(now + 1, (int) Math.min(most, Integer.MAX_VALUE - 1)));
    }

    private Optional<Answered> first(IntStream counts) {
        int now = question.deviceCount();
        int step = Math.max(1, Integer.highestOneBit(now) / STEPS);
        return counts.filter(count -> count % step == 0)
                .boxed()
                .flatMap(count ->
                        Variant.of(Change.of(Choice.DEVICE_COUNT, now, count), question.withDevices(count)).stream())
                .flatMap(variant -> inquiry.answered(variant).stream())
                .findFirst();
    }
}
