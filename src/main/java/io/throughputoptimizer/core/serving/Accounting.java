package io.throughputoptimizer.core.serving;

/// Which formulas turn forward passes into TTFT, TPOT and throughput; chosen once per problem.
public sealed interface Accounting {

    /// Name used in requests and results.
    String name();

    /// The formulas of the documented optimizer, its oddities included.
    record Documented() implements Accounting {
        @Override
        public String name() {
            return "documented";
        }
    }
}
