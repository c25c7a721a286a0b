package io.throughputoptimizer.api.result.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.catalog.AccuracyResponse.ErrorResponse;
import io.throughputoptimizer.core.accuracy.Errors;
import io.throughputoptimizer.core.accuracy.StartupLog;
import io.throughputoptimizer.core.memory.EngineVersion;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.memory.ServedRank;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Printed and predicted memory of start-up logs.
@Schema(name = "StartupLogs", description = "Printed and predicted memory of start-up logs of public servers.")
public record StartupLogsResponse(
        @Schema(description = "Errors over all logs, by engine and version, and by family of the model.")
        List<GroupResponse> groups,

        @Schema(description = "Every log, printed and predicted.")
        List<LogResponse> logs) {

    private static final EngineVersion NEW_ENGINE = new EngineVersion(0, 8);
    private static final EngineVersion SMALL_SAMPLER = new EngineVersion(0, 17);
    private static final EngineVersion GRAPHS_IN_SHARE = new EngineVersion(0, 21);

    /// Errors over some logs.
    @Schema(name = "StartupLogErrors", description = "Errors over some start-up logs.")
    public record GroupResponse(
            @Schema(
                    description = "Property that the logs share.",
                    allowableValues = {"all", "engine", "family"})
            String by,

            @Schema(description = "Value of the property.", example = "vllm 0.17 to 0.20")
            String name,

            @Schema(description = "Logs.", example = "24") int logs,

            @Schema(description = "Errors of the KV cache. Absent where no server started.") @Nullable
            ErrorResponse kvCache,

            @Schema(description = "Errors of the weights. Absent where no log prints them.") @Nullable
            ErrorResponse weights) {

        private static GroupResponse of(String by, String name, List<StartupLog> logs) {
            return new GroupResponse(
                    by,
                    name,
                    logs.size(),
                    errors(logs, StartupLog::errorPercent),
                    errors(logs, StartupLog::weightsErrorPercent));
        }

        private static @Nullable ErrorResponse errors(
                List<StartupLog> logs, Function<StartupLog, OptionalDouble> error) {
            return ErrorResponse.from(Errors.of(logs.stream()
                    .map(error)
                    .flatMapToDouble(OptionalDouble::stream)
                    .toArray()));
        }
    }

    /// One start-up log.
    @Schema(name = "StartupLog", description = "Memory of a rank that a start-up log prints, and its prediction.")
    public record LogResponse(
            @Schema(description = "Model.", example = "Qwen3-8B")
            String model,

            @Schema(
                    description = "Family of the model.",
                    allowableValues = {"dense", "experts", "windows", "gated_delta_nets", "compressed"})
            String family,

            @Schema(description = "Serving engine.", example = "vllm")
            String backend,

            @Schema(description = "Version of the engine.", example = "0.19.0")
            String version,

            @Schema(description = "Device.", example = "H100_SXM")
            String device,

            @Schema(description = "Tensor parallel size.") int tp,

            @Schema(description = "Attention data parallel size.")
            int dp,

            @Schema(description = "Expert parallel size.") int ep,

            @Schema(description = "Memory share.", example = "0.95")
            double memoryShare,

            @Schema(
                    description = "Figure of the KV cache that the log prints.",
                    allowableValues = {"kv_tokens", "kv_pool_gib", "requests"})
            String figure,

            @Schema(description = "Value of the log; 0 or less where the server did not start.", example = "418688")
            double printed,

            @Schema(description = "Value of the memory law.", example = "418688")
            double predicted,

            @Schema(
                    description = "Error of the prediction, in percent. Absent where the server did not start.",
                    example = "0.0")
            @Nullable
            Double errorPercent,

            @Schema(description = "Weights that the log prints, in GiB.", example = "15.27") @Nullable
            Double printedWeightsGib,

            @Schema(description = "Predicted weights, in GiB.", example = "15.27")
            double weightsGib,

            @Schema(description = "Address of the log. Absent without one.") @Nullable
            String source,

            @Schema(description = "Facts that the log leaves to guess. Absent without.") @Nullable
            String note) {

        private static LogResponse of(StartupLog log) {
            RankMemory memory = log.memory();
            ServedRank rank = memory.rank();
            return new LogResponse(
                    log.model(),
                    familyOf(log),
                    rank.engine().backend(),
                    log.version(),
                    rank.device().name(),
                    rank.tp(),
                    rank.dp(),
                    rank.ep(),
                    memory.share(),
                    log.figure().name().toLowerCase(Locale.ROOT),
                    log.printedFigure(),
                    log.predictedFigure(),
                    boxed(log.errorPercent()),
                    boxed(log.printed().weightsGib()),
                    memory.weightsGib(),
                    log.source().isEmpty() ? null : log.source(),
                    log.note().isEmpty() ? null : log.note());
        }
    }

    private static @Nullable Double boxed(OptionalDouble figure) {
        return figure.isPresent() ? (Double) figure.getAsDouble() : null;
    }

    private static String familyOf(StartupLog log) {
        return log.memory().rank().model().family().name().toLowerCase(Locale.ROOT);
    }

    /// Engine and version range, within which the law is one.
    private static String versions(StartupLog log) {
        String backend = log.memory().rank().engine().backend();
        EngineVersion version = log.memory().rank().version();
        if (!backend.equals("vllm")) {
            return backend;
        } else if (version.compareTo(NEW_ENGINE) < 0) {
            return "vllm before 0.8";
        } else if (version.compareTo(SMALL_SAMPLER) < 0) {
            return "vllm 0.8 to 0.16";
        }
        return version.compareTo(GRAPHS_IN_SHARE) < 0 ? "vllm 0.17 to 0.20" : "vllm from 0.21 on";
    }

    static StartupLogsResponse of(List<StartupLog> logs) {
        return new StartupLogsResponse(
                Stream.of(
                                Stream.of(GroupResponse.of("all", "all", logs)),
                                groups("engine", logs, StartupLogsResponse::versions),
                                groups("family", logs, StartupLogsResponse::familyOf))
                        .flatMap(Function.identity())
                        .toList(),
                logs.stream().map(LogResponse::of).toList());
    }

    private static Stream<GroupResponse> groups(
            String by, List<StartupLog> logs, Function<StartupLog, String> property) {
        return logs.stream()
                .sorted(Comparator.comparing(log -> log.memory().rank().version()))
                .map(property)
                .distinct()
                .map(name -> GroupResponse.of(
                        by,
                        name,
                        logs.stream()
                                .filter(log -> property.apply(log).equals(name))
                                .toList()));
    }
}
