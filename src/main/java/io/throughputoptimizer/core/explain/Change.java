package io.throughputoptimizer.core.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change of one setting of a search.
///
/// @param lever the changed setting
/// @param from value in the original search
/// @param to value in the changed search
/// @param cache KV cache type implied by the new scheme; null if unchanged
/// @param idle devices left idle because fewer devices deliver more; usually 0
public record Change(
        Lever lever, Setting from, Setting to, @Nullable String cache, int idle) {

    /// Value of a lever.
    public sealed interface Setting {}

    /// A number in the lever's unit.
    public record Amount(double value) implements Setting {}

    /// Sizes to try; none for powers of two up to the devices.
    public record Sizes(List<Integer> sizes) implements Setting {
        public Sizes {
            sizes = List.copyOf(sizes);
        }
    }

    /// One of several named values.
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

    /// Returns a copy with another KV cache type.
    Change bringing(@Nullable String other) {
        return new Change(lever, from, to, other, idle);
    }

    /// Returns a copy with idle devices.
    Change leaving(int devices) {
        return new Change(lever, from, to, cache, devices);
    }

    static Change of(Lever lever, double from, double to) {
        return new Change(lever, new Amount(from), new Amount(to));
    }

    /// Returns the relative size of the change, `max(to / from, from / to) - 1`; 0 for named values.
    double size() {
        return from instanceof Amount(double before) && to instanceof Amount(double after) && before > 0 && after > 0
                ? Math.max(after / before, before / after) - 1
                : 0;
    }

    static Change of(Lever lever, Enum<?> from, Enum<?> to) {
        return new Change(lever, new Kind(from.name()), new Kind(to.name()));
    }
}
