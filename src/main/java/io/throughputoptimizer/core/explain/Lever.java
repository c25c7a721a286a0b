package io.throughputoptimizer.core.explain;

/// A setting that the explanation can change.
public sealed interface Lever {

    /// Returns the unit of the values; empty for names and shares.
    String unit();

    /// A numeric setting.
    sealed interface Adjustable extends Lever {}

    /// A latency limit.
    enum Limit implements Adjustable {
        TTFT_LIMIT,
        TPOT_LIMIT,
        /// End-to-end latency.
        E2E_LATENCY_LIMIT;

        @Override
        public String unit() {
            return "ms";
        }
    }

    /// A hardware parameter of a device.
    enum DeviceFigure implements Adjustable {
        /// Memory per device.
        MEMORY_SIZE("GB"),
        /// Percentage of the device's peak memory bandwidth.
        MEMORY_BANDWIDTH("%"),
        /// Percentage of the device's peak rates for every type.
        MATRIX_RATE("%"),
        /// Percentage of the peak bandwidth of all links.
        LINK_BANDWIDTH("%"),
        /// Percentage of the latencies of all links.
        LINK_LATENCY("%"),
        /// Percentage of the static cost per operator.
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

    /// A hardware parameter of one kind of device in a pair of two kinds.
    ///
    /// @param device name of the kind of device
    record FigureOf(DeviceFigure figure, String device) implements Adjustable {
        @Override
        public String unit() {
            return figure.unit;
        }
    }

    /// Parameters of the KV transfer from prefill to decode instances.
    enum Transfer implements Adjustable {
        /// Rate of one transfer.
        KV_TRANSFER_RATE;

        @Override
        public String unit() {
            return "GB/s";
        }
    }

    /// Device count of one kind, if counts are set by kind.
    ///
    /// @param device name of the kind of device
    record CountOf(String device) implements Lever {
        @Override
        public String unit() {
            return Choice.DEVICE_COUNT.unit;
        }
    }

    /// A deployment option or a property of the demand.
    enum Choice implements Lever {
        DEVICE_COUNT("devices"),
        /// Devices per prefill instance.
        PREFILL_DEVICES("devices"),
        /// Devices per decode instance.
        DECODE_DEVICES("devices"),
        INPUT_LENGTH("tokens"),
        CACHE_QUANTIZATION(""),
        LINEAR_QUANTIZATION(""),
        NON_EXPERT_QUANTIZATION(""),
        /// Tensor parallel sizes to try; empty for powers of two up to the devices.
        TENSOR_PARALLEL(""),
        /// Data parallel sizes to try; empty for powers of two up to the devices.
        DATA_PARALLEL(""),
        /// Expert parallel sizes to try; empty for powers of two up to the devices.
        EXPERT_PARALLEL(""),
        /// Kind of device.
        DEVICE(""),
        DRAFT_TOKENS("tokens"),
        MAX_BATCHED_TOKENS("tokens"),
        PREFIX_CACHE_HIT_RATE(""),
        /// Arrival rate of open-loop requests.
        REQUEST_RATE("requests/s"),
        /// Minimum concurrency of plans.
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
