package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.memory.RankMemory;
import java.util.OptionalDouble;

/// A startup log of a server, with the predicted memory for its settings.
///
/// @param model name of the model
/// @param version version of the engine
/// @param memory predicted memory of a rank
/// @param requestTokens tokens of a request of the printed requests
/// @param printed figures of the log
/// @param source address of the log; empty if unknown
/// @param note facts that the log does not state; empty if there are none
public record StartupLog(
        String model,
        String version,
        RankMemory memory,
        double requestTokens,
        Printed printed,
        String source,
        String note) {

    /// Figures printed by a log.
    ///
    /// @param weightsGib weights in GiB; empty also if the checkpoint differs from its configuration
    /// @param poolGib KV cache in GiB; 0 or less if the server did not start
    /// @param tokens tokens of the KV cache
    /// @param requests requests that the KV cache admits
    public record Printed(
            OptionalDouble weightsGib, OptionalDouble poolGib, OptionalDouble tokens, OptionalDouble requests) {}

    /// Figures of the KV cache, most exact first.
    public enum Figure {
        REQUESTS,
        KV_TOKENS,
        KV_POOL_GIB
    }

    /// Returns the most exact figure of the KV cache that the log prints.
    public Figure figure() {
        if (printed.requests.isPresent()) {
            return Figure.REQUESTS;
        }
        return printed.tokens.isPresent() ? Figure.KV_TOKENS : Figure.KV_POOL_GIB;
    }

    /// Returns the printed value of [#figure].
    public double printedFigure() {
        return switch (figure()) {
            case REQUESTS -> printed.requests.orElseThrow();
            case KV_TOKENS -> printed.tokens.orElseThrow();
            case KV_POOL_GIB -> printed.poolGib.orElseThrow();
        };
    }

    /// Returns the predicted value of [#figure].
    public double predictedFigure() {
        return switch (figure()) {
            case REQUESTS -> memory.requestsAdmitted(requestTokens);
            case KV_TOKENS -> memory.printedTokens();
            case KV_POOL_GIB -> memory.poolGib();
        };
    }

    /// Returns the error of the predicted KV cache in percent; empty if the server did not start.
    public OptionalDouble errorPercent() {
        return printedFigure() > 0 ? error(predictedFigure(), printedFigure()) : OptionalDouble.empty();
    }

    /// Returns the error of the predicted weights in percent; empty if the log does not print them.
    public OptionalDouble weightsErrorPercent() {
        return printed.weightsGib.isPresent()
                ? error(memory.weightsGib(), printed.weightsGib.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble error(double predicted, double printed) {
        return OptionalDouble.of(100 * (predicted / printed - 1));
    }
}
