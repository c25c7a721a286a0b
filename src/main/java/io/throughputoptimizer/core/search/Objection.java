package io.throughputoptimizer.core.search;

/// A reason why a problem cannot be searched as it is put.
///
/// @param subject the part of the problem at fault
/// @param message field, value and rule, for people
public record Objection(Subject subject, String message) {

    /// Parts of a problem.
    public enum Subject {
        DEVICE_COUNT("device count"),
        INSTANCES("instance sizes"),
        PREFILL_DEVICES("devices per prefill instance"),
        DECODE_DEVICES("devices per decode instance"),
        LENGTHS("length distribution"),
        IMAGES("images"),
        OBJECTIVE("limits"),
        TTFT_LIMIT("TTFT limit"),
        TPOT_LIMIT("TPOT limit"),
        TP_SIZES("tp sizes"),
        EP_SIZES("ep sizes"),
        MOE_DP_SIZES("moe dp sizes"),
        MAX_BATCHED_TOKENS("max batched tokens");

        private final String label;

        Subject(String label) {
            this.label = label;
        }

        /// Name in messages.
        String label() {
            return label;
        }
    }
}
