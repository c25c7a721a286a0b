package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.search.space.Candidate.Trait;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// Something that candidates differ in besides their layout, with the values to try of it.
public interface Axis {

    /// How many candidates become of each, at most.
    int size();

    /// Whether fewer may become of some, by their tensor parallel size.
    default boolean dependsOnTensorSize() {
        return false;
    }

    /// How many become of each with that tensor parallel size.
    default int size(int tensorSize) {
        return size();
    }

    /// The candidate once with each value, in their order.
    Stream<Candidate> over(Candidate candidate);

    static int different(List<?> values) {
        return (int) values.stream().distinct().count();
    }

    /// A candidate with each of the values, told apart by the trait if there are several.
    static <T> Stream<Candidate> each(
            List<T> values, Trait trait, Candidate candidate, BiFunction<Candidate, T, Candidate> with) {
        Candidate told = different(values) > 1 ? candidate.with(trait) : candidate;
        return values.stream().distinct().map(value -> with.apply(told, value));
    }
}
