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
@Schema(name = "StartupLogs")
public record StartupLogsResponse(List<GroupResponse> groups, List<LogResponse> logs) {

    private static final EngineVersion NEW_ENGINE = new EngineVersion(0, 8);
    private static final EngineVersion SMALL_SAMPLER = new EngineVersion(0, 17);
    private static final EngineVersion GRAPHS_IN_SHARE = new EngineVersion(0, 21);

    /// Errors over some logs.
    @Schema(name = "StartupLogErrors")
    public record GroupResponse(
            @Schema(allowableValues = {"all", "engine", "family"})
            String by,

            String name,
            int logs,
            @Nullable ErrorResponse kvCache,
            @Nullable ErrorResponse weights) {

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
    @Schema(name = "StartupLog")
    public record LogResponse(
            String model,

            @Schema(allowableValues = {"dense", "experts", "windows", "gated_delta_nets", "compressed"})
            String family,

            String backend,
            String version,
            String device,
            int tp,
            int dp,
            int ep,
            double memoryShare,

            @Schema(allowableValues = {"kv_tokens", "kv_pool_gib", "requests"})
            String figure,

            double printed,
            double predicted,
            @Nullable Double errorPercent,
            @Nullable Double printedWeightsGib,
            double weightsGib,
            @Nullable String source,
            @Nullable String note) {

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
