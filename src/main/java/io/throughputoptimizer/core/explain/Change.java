package io.throughputoptimizer.core.explain;

/// One thing about a question that is set to something else.
///
/// @param lever what is changed
/// @param from its setting in the question
/// @param to its setting in the changed question
public record Change(Lever lever, Setting from, Setting to) {

    /// What a lever is set to.
    public sealed interface Setting {}

    /// A number in the lever's unit.
    public record Amount(double value) implements Setting {}

    /// One of several kinds.
    public record Kind(String name) implements Setting {}

    static Change of(Lever lever, double from, double to) {
        return new Change(lever, new Amount(from), new Amount(to));
    }

    /// `max(to / from, from / to) - 1`: how far an amount moves, of itself; 0 between kinds.
    double size() {
        return from instanceof Amount(double before) && to instanceof Amount(double after) && before > 0 && after > 0
                ? Math.max(after / before, before / after) - 1
                : 0;
    }

    static Change of(Lever lever, Enum<?> from, Enum<?> to) {
        return new Change(lever, new Kind(from.name()), new Kind(to.name()));
    }
}
