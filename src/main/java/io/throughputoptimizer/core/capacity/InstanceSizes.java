package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.InvalidProblemException;
import io.throughputoptimizer.core.search.Objection;
import io.throughputoptimizer.core.search.Objection.Subject;
import java.util.List;
import java.util.stream.IntStream;

/// Devices of an instance, to try.
final class InstanceSizes {
    private InstanceSizes() {}

    /// Those that were asked for, each once; where none were, powers of two.
    ///
    /// @throws InvalidProblemException if one is larger than the devices available
    static List<Integer> of(List<Integer> asked, int deviceCount) {
        List<Objection> objections = IntStream.range(0, asked.size())
                .filter(index -> asked.get(index) > deviceCount)
                .mapToObj(index -> new Objection(
                        Subject.INSTANCE_SIZES,
                        index,
                        "is " + asked.get(index) + ": at most the device count, " + deviceCount + ", is needed"))
                .toList();
        if (!objections.isEmpty()) {
            throw new InvalidProblemException(objections);
        }
        return asked.isEmpty()
                ? IntStream.iterate(1, size -> size <= deviceCount && size > 0, size -> size * 2)
                        .boxed()
                        .toList()
                : asked.stream().distinct().toList();
    }
}
