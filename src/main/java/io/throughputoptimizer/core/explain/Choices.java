package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Variants.Variant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Alternatives that need no other hardware or demand, in terms of one cost model: number formats, sizes and
/// kinds of device.
sealed interface Choices permits RooflineChoices, CalibratedChoices {

    Question question();

    /// Returns variants with other number formats and numbers of draft tokens, one change each.
    ///
    /// @param today the best plan, whose choices are varied
    List<Variant> others(Plan today);

    /// Returns lists of number formats that need less memory, smallest loss of precision first. Within a list,
    /// the first feasible one suffices.
    List<List<Variant>> smaller();

    /// Returns one variant per restricted list of sizes, which allows all powers of two instead.
    List<Variant> anySizes();

    /// Returns variants with a larger-memory kind of device in place of one of the search, smallest memory
    /// first.
    Stream<Variant> larger();

    /// Returns candidates for a relaxation of an infeasible search, one change each. Within a list, the first
    /// feasible one suffices.
    default List<List<Variant>> all() {
        return Stream.concat(smaller().stream(), anySizes().stream().map(List::of))
                .toList();
    }

    /// Returns variants with larger-memory devices. Empty if the objective is cost or device counts are set by
    /// kind, since prices and counts of other kinds are unknown.
    default List<Variant> devices() {
        return question().objective().isCost() || question().available().isByKind() ? List.of() : larger().toList();
    }

    /// Returns a variant that allows all sizes, or empty if the search restricts none.
    static Optional<Variant> anySize(
            Choice lever, @Nullable List<Integer> asked, Supplier<Optional<? extends Question>> changed) {
        return asked == null || asked.isEmpty()
                ? Optional.empty()
                : Variant.of(Change.of(lever, asked, List.of()), changed.get());
    }
}
