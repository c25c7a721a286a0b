package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.search.space.Candidate.Trait;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/// An option of candidates in addition to their layout, with the values to try.
public interface Axis {

    /// Returns the maximum number of candidates that each candidate becomes.
    int size();

    /// Returns whether the number of candidates depends on the tensor parallel size.
    default boolean dependsOnTensorSize() {
        return false;
    }

    /// Returns the number of candidates that each candidate of that tensor parallel size becomes.
    default int size(int tensorSize) {
        return size();
    }

    /// Returns the candidate with each value, in order.
    Stream<Candidate> over(Candidate candidate);

    static int different(List<?> values) {
        return (int) values.stream().distinct().count();
    }

    /// Returns a candidate with each of the values, labeled by the trait if there are several.
    static <T> Stream<Candidate> each(
            List<T> values, Trait trait, Candidate candidate, BiFunction<Candidate, T, Candidate> with) {
        Candidate told = different(values) > 1 ? candidate.with(trait) : candidate;
        return values.stream().distinct().map(value -> with.apply(told, value));
    }
}
