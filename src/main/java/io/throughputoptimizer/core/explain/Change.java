package io.throughputoptimizer.core.explain;

/// One thing about a question that is set to something else.
///
/// @param lever what is changed
/// @param from its setting in the question
/// @param to its setting in the changed question
public record Change(Lever lever, Setting from, Setting to) {

    /// What can be changed, by its unit.
    public enum Lever {
        TTFT_LIMIT("ms"),
        TPOT_LIMIT("ms"),
        DEVICE_COUNT("devices"),
        INPUT_LENGTH("tokens"),
        /// Memory of each device.
        MEMORY_SIZE("GB"),
        /// Of the device's peak.
        MEMORY_BANDWIDTH("%"),
        /// Of the device's peaks of every type.
        MATRIX_RATE("%"),
        /// Of the peaks of all links.
        LINK_BANDWIDTH("%"),
        /// Of the latencies of all links.
        LINK_LATENCY("%"),
        /// Of the time added to each operator.
        STATIC_COSTS("%"),
        CACHE_QUANTIZATION(""),
        LINEAR_QUANTIZATION(""),
        NON_EXPERT_QUANTIZATION(""),
        DRAFT_TOKENS("tokens"),
        TOKEN_BUDGET("tokens"),
        PREFIX_CACHE_HIT_RATE("");

        private final String unit;

        Lever(String unit) {
            this.unit = unit;
        }

        /// Unit of its settings; empty for names and shares.
        public String unit() {
            return unit;
        }
    }

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
