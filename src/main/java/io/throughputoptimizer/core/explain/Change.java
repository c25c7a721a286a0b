package io.throughputoptimizer.core.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing about a question that is set to something else.
///
/// @param lever what is changed
/// @param from its setting in the question
/// @param to its setting in the changed question
/// @param cache type of the KV cache that comes with another scheme; absent where it stays
/// @param idle devices of another count that stand idle, for fewer serve more; usually 0
public record Change(
        Lever lever, Setting from, Setting to, @Nullable String cache, int idle) {

    /// What a lever is set to.
    public sealed interface Setting {}

    /// A number in the lever's unit.
    public record Amount(double value) implements Setting {}

    /// Sizes to try; none for powers of two up to the devices.
    public record Sizes(List<Integer> sizes) implements Setting {
        public Sizes {
            sizes = List.copyOf(sizes);
        }
    }

    /// One of several kinds.
    public record Kind(String name) implements Setting {}

    private Change(Lever lever, Setting from, Setting to) {
        this(lever, from, to, null, 0);
    }

    static Change of(Lever lever, String from, String to) {
        return new Change(lever, new Kind(from), new Kind(to));
    }

    static Change of(Lever lever, List<Integer> from, List<Integer> to) {
        return new Change(lever, new Sizes(from), new Sizes(to));
    }

    /// The same with another type of KV cache.
    Change bringing(@Nullable String other) {
        return new Change(lever, from, to, other, idle);
    }

    /// The same with devices that stand idle.
    Change leaving(int devices) {
        return new Change(lever, from, to, cache, devices);
    }

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
