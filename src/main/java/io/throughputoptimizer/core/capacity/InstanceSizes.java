package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import java.util.List;
import java.util.stream.IntStream;

/// Devices per instance to try.
final class InstanceSizes {
    private InstanceSizes() {}

    /// Rejects sizes above the devices available of every kind.
    ///
    /// @param most most devices available of one kind
    /// @throws InvalidProblemException if a size is larger
    static void check(List<Integer> asked, int most) {
        List<Objection> objections = IntStream.range(0, asked.size())
                .filter(index -> asked.get(index) > most)
                .mapToObj(index -> new Objection(
                        Subject.INSTANCE_SIZES,
                        index,
                        "is " + asked.get(index) + ": at most the device count, " + most + ", is needed"))
                .toList();
        if (!objections.isEmpty()) {
            throw new InvalidProblemException(objections);
        }
    }

    /// Returns the distinct requested sizes, or powers of two if none are requested.
    ///
    /// @param available devices of the kind
    static List<Integer> of(List<Integer> asked, int available) {
        return asked.isEmpty()
                ? IntStream.iterate(1, size -> size <= available && size > 0, size -> size * 2)
                        .boxed()
                        .toList()
                : asked.stream().distinct().toList();
    }

    /// Returns the reason to reject instances larger than the devices available of their kind.
    static String tooLarge(int available) {
        return available == 1 ? "1 device is there" : available + " devices are there";
    }
}
