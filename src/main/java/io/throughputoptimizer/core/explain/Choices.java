package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What of a question can be chosen anew for nothing, in the words of its cost model: number formats, sizes, and kinds
/// of device.
sealed interface Choices permits RooflineChoices, MeasuredChoices {

    Question question();

    /// Other number formats, and numbers of draft tokens, each alone.
    ///
    /// @param today the best plan, whose choices are changed
    List<Variant> others(Plan today);

    /// Number formats that take less room than now, those that give up least first; of those in one list the first
    /// that suffices will do.
    List<List<Variant>> smaller();

    /// Each of the lists of sizes that were asked for with all powers of two instead.
    List<Variant> anySizes();

    /// Other kinds of device with more memory than one of the question, in its place, the least memory first.
    Stream<Variant> larger();

    /// What may help where there is no answer, each alone; of those in one list the first that suffices will do.
    default List<List<Variant>> all() {
        return Stream.concat(smaller().stream(), anySizes().stream().map(List::of))
                .toList();
    }

    /// Kinds of device with more memory; none where prices are asked for, or numbers by kind: those of others are not
    /// known.
    default List<Variant> devices() {
        return question().objective().isCost() || question().available().isByKind() ? List.of() : larger().toList();
    }

    /// Nothing where no size was asked for.
    static Optional<Variant> anySize(
            Choice lever, @Nullable List<Integer> asked, Supplier<Optional<? extends Question>> changed) {
        return asked == null || asked.isEmpty()
                ? Optional.empty()
                : Variant.of(Change.of(lever, asked, List.of()), changed.get());
    }
}
