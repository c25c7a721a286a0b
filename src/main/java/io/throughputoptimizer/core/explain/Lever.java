package io.throughputoptimizer.core.explain;

/// What can be changed about a question.
public sealed interface Lever {

    /// Unit of its settings; empty for names and shares.
    String unit();

    /// A number that is raised and lowered.
    sealed interface Adjustable extends Lever {}

    /// What plans must keep.
    enum Limit implements Adjustable {
        TTFT_LIMIT,
        TPOT_LIMIT,
        /// On whole answers.
        REQUEST_LATENCY_LIMIT;

        @Override
        public String unit() {
            return "ms";
        }
    }

    /// What devices are like.
    enum DeviceFigure implements Adjustable {
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
        STATIC_COSTS("%");

        private final String unit;

        DeviceFigure(String unit) {
            this.unit = unit;
        }

        @Override
        public String unit() {
            return unit;
        }
    }

    /// A figure of one of the two kinds of device of a pair.
    ///
    /// @param device name of that kind
    record FigureOf(DeviceFigure figure, String device) implements Adjustable {
        @Override
        public String unit() {
            return figure.unit;
        }
    }

    /// How KV caches get from prefill to decode instances.
    enum Transfer implements Adjustable {
        /// Of one transfer.
        KV_TRANSFER_RATE;

        @Override
        public String unit() {
            return "GB/s";
        }
    }

    /// How many devices there are of a kind, where each kind has its own number.
    ///
    /// @param device name of that kind
    record CountOf(String device) implements Lever {
        @Override
        public String unit() {
            return Choice.DEVICE_COUNT.unit;
        }
    }

    /// What is chosen for a deployment, or asked of it.
    enum Choice implements Lever {
        DEVICE_COUNT("devices"),
        /// Of an instance.
        PREFILL_DEVICES("devices"),
        /// Of an instance.
        DECODE_DEVICES("devices"),
        INPUT_LENGTH("tokens"),
        CACHE_QUANTIZATION(""),
        LINEAR_QUANTIZATION(""),
        NON_EXPERT_QUANTIZATION(""),
        /// Sizes to try; none for powers of two up to the devices.
        TENSOR_PARALLEL(""),
        /// Sizes to try; likewise.
        DATA_PARALLEL(""),
        /// Sizes to try; likewise.
        EXPERT_PARALLEL(""),
        /// Kind of device.
        DEVICE(""),
        DRAFT_TOKENS("tokens"),
        TOKEN_BUDGET("tokens"),
        PREFIX_CACHE_HIT_RATE(""),
        /// Of requests that come whether or not others have been answered.
        REQUEST_RATE("requests/s"),
        /// Requests that plans must serve at once.
        LEAST_CONCURRENCY("requests");

        private final String unit;

        Choice(String unit) {
            this.unit = unit;
        }

        @Override
        public String unit() {
            return unit;
        }
    }
}
