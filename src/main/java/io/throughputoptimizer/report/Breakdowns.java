package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Time breakdown of a phase in percent.
final class Breakdowns {
    private Breakdowns() {}

    static @Nullable String words(@Nullable BreakdownResponse percent) {
        return percent == null
                ? null
                : Stream.of(
                                share("Mem", percent.memory()),
                                share("Gemm", percent.gemm()),
                                share("Attn", percent.attention()),
                                share("Experts", percent.experts()),
                                share("Comm", percent.communication()),
                                share("Elementwise", percent.elementwise()),
                                share("Cube", percent.computeMma()),
                                share("Vec", percent.computeGp()))
                        .flatMap(Optional::stream)
                        .collect(Collectors.joining(" | "));
    }

    private static Optional<String> share(String name, @Nullable Double percent) {
        return percent == null ? Optional.empty() : Optional.of(name + " " + Decimals.fixed(percent, 2));
    }
}
