package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.memory.RankMemory;
import java.util.OptionalDouble;

/// A start-up log of a server, with the memory that the law predicts for its settings.
///
/// @param model name of the model
/// @param version version of the engine
/// @param memory predicted memory of a rank
/// @param requestTokens tokens of a request of the printed requests
/// @param printed figures of the log
/// @param source address of the log; empty where it has none
/// @param note facts that the log leaves to guess; empty without
public record StartupLog(
        String model,
        String version,
        RankMemory memory,
        double requestTokens,
        Printed printed,
        String source,
        String note) {

    /// Figures of a log, as far as it prints them.
    ///
    /// @param weightsGib weights, in GiB; empty also where the checkpoint is known to differ from its configuration
    /// @param poolGib KV cache, in GiB; 0 or less where the server did not start
    /// @param tokens tokens of the KV cache
    /// @param requests requests that the KV cache admits
    public record Printed(
            OptionalDouble weightsGib, OptionalDouble poolGib, OptionalDouble tokens, OptionalDouble requests) {}

    /// Figures of the KV cache, the most exact first.
    public enum Figure {
        REQUESTS,
        KV_TOKENS,
        KV_POOL_GIB
    }

    /// Most exact figure of the KV cache that the log prints.
    public Figure figure() {
        if (printed.requests.isPresent()) {
            return Figure.REQUESTS;
        }
        return printed.tokens.isPresent() ? Figure.KV_TOKENS : Figure.KV_POOL_GIB;
    }

    /// Value of [#figure] that the log prints.
    public double printedFigure() {
        return switch (figure()) {
            case REQUESTS -> printed.requests.orElseThrow();
            case KV_TOKENS -> printed.tokens.orElseThrow();
            case KV_POOL_GIB -> printed.poolGib.orElseThrow();
        };
    }

    /// Value of [#figure] that the law predicts.
    public double predictedFigure() {
        return switch (figure()) {
            case REQUESTS -> memory.requestsAdmitted(requestTokens);
            case KV_TOKENS -> memory.printedTokens();
            case KV_POOL_GIB -> memory.poolGib();
        };
    }

    /// Returns the error of the predicted KV cache, in percent; empty where the server did not start.
    public OptionalDouble errorPercent() {
        return printedFigure() > 0 ? error(predictedFigure(), printedFigure()) : OptionalDouble.empty();
    }

    /// Returns the error of the predicted weights, in percent; empty where the log does not print them.
    public OptionalDouble weightsErrorPercent() {
        return printed.weightsGib.isPresent()
                ? error(memory.weightsGib(), printed.weightsGib.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble error(double predicted, double printed) {
        return OptionalDouble.of(100 * (predicted / printed - 1));
    }
}
