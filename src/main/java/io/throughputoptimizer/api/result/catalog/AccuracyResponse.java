package io.throughputoptimizer.api.result.catalog;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.core.accuracy.Errors;
import io.throughputoptimizer.core.accuracy.MeasuredServer;
import io.throughputoptimizer.core.accuracy.ModelledServer;
import io.throughputoptimizer.core.accuracy.StartupLog;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.BandBasis.Factors;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Errors of the calibrated model against measured servers.
@Schema(name = "Accuracy")
public record AccuracyResponse(
        List<ErrorsResponse> summary,
        List<GroupResponse> groups,
        List<BandResponse> bands,
        List<ServerResponse> servers,
        StartupLogsResponse startupLogs) {

    /// Errors over some servers.
    @Schema(name = "AccuracyErrors")
    public record ErrorsResponse(
            String servers,
            @Nullable ErrorResponse tpot,
            @Nullable ErrorResponse ttft,
            @Nullable ErrorResponse rooflineTpot) {
        private static ErrorsResponse of(String name, List<ModelledServer> servers) {
            return new ErrorsResponse(
                    name,
                    ErrorResponse.from(Errors.ofTpot(servers)),
                    ErrorResponse.from(Errors.ofTtft(servers)),
                    ErrorResponse.from(Errors.ofRooflineTpot(servers)));
        }
    }

    /// Errors of one figure, in percent of the measured one.
    @Schema(name = "AccuracyError")
    public record ErrorResponse(int servers, double medianPercent, double p90Percent, double biasPercent) {
        static @Nullable ErrorResponse from(Optional<Errors> errors) {
            return errors.map(known ->
                            new ErrorResponse(known.servers(), known.median(), known.ninetieth(), known.bias()))
                    .orElse(null);
        }
    }

    /// Errors on one model, device and engine.
    @Schema(name = "AccuracyGroup")
    public record GroupResponse(
            String model,
            String device,
            String backend,
            int servers,
            @Nullable ErrorResponse tpot,
            @Nullable ErrorResponse ttft) {
        private static GroupResponse of(List<ModelledServer> servers) {
            MeasuredServer any = servers.getFirst().server();
            return new GroupResponse(
                    any.model(),
                    any.device(),
                    any.deployment().engine().backend(),
                    servers.size(),
                    ErrorResponse.from(Errors.ofTpot(servers)),
                    ErrorResponse.from(Errors.ofTtft(servers)));
        }
    }

    /// A band as multiples of the figure.
    @Schema(name = "AccuracyBand")
    public record BandResponse(
            String basis,
            int servers,
            double coverage,
            double low,
            @Nullable Double high) {
        private static BandResponse of(BandBasis basis, Coverage coverage) {
            Factors factors = basis.factors(coverage);
            return new BandResponse(
                    basis.label(),
                    basis.servers(),
                    coverage.share(),
                    factors.low(),
                    Double.isInfinite(factors.high()) ? null : factors.high());
        }
    }

    /// One server.
    @Schema(name = "AccuracyServer")
    public record ServerResponse(
            String model,
            String device,
            String backend,
            @Nullable String version,
            String scheme,
            String kvCacheDtype,
            int inputLength,
            int outputLength,
            int concurrency,
            int tp,
            int dp,
            @Nullable Double measuredTpotMs,
            double tpotMs,
            @Nullable Double measuredTtftMs,
            double ttftMs) {
        private static ServerResponse from(ModelledServer modelled) {
            MeasuredServer server = modelled.server();
            MeasuredServer.Benchmark benchmark = server.benchmark();
            return new ServerResponse(
                    server.model(),
                    server.device(),
                    server.deployment().engine().backend(),
                    server.engineVersion().isEmpty() ? null : server.engineVersion(),
                    server.deployment().precision().scheme().name(),
                    server.deployment().precision().cache().label(),
                    benchmark.lengths().longestInput(),
                    benchmark.lengths().longestOutput(),
                    benchmark.concurrency(),
                    server.deployment().layout().tp(),
                    server.deployment().layout().dp(),
                    boxed(server.measured().tpotMillis()),
                    modelled.tpotMillis(),
                    boxed(server.measured().ttftMillis()),
                    modelled.ttftMillis());
        }

        private static @Nullable Double boxed(OptionalDouble figure) {
            return figure.isPresent() ? figure.getAsDouble() : null;
        }
    }

    /// Every figure modelled here, by this service's own cost model.
    public static AccuracyResponse of(List<MeasuredServer> measured, List<StartupLog> logs) {
        List<ModelledServer> servers = measured.stream().map(ModelledServer::of).toList();
        Map<List<String>, List<ModelledServer>> groups =
                servers.stream().collect(groupingBy(AccuracyResponse::group, LinkedHashMap::new, toList()));
        return new AccuracyResponse(
                List.of(
                        ErrorsResponse.of("dense", ofExperts(servers, false)),
                        ErrorsResponse.of("experts", ofExperts(servers, true)),
                        ErrorsResponse.of("all", servers)),
                groups.values().stream().map(GroupResponse::of).toList(),
                Arrays.stream(BandBasis.values())
                        .flatMap(
                                basis -> Stream.of(Coverage.values()).map(coverage -> BandResponse.of(basis, coverage)))
                        .toList(),
                servers.stream().map(ServerResponse::from).toList(),
                StartupLogsResponse.of(logs));
    }

    private static List<ModelledServer> ofExperts(List<ModelledServer> servers, boolean experts) {
        return servers.stream()
                .filter(modelled -> modelled.server().hasExperts() == experts)
                .toList();
    }

    private static List<String> group(ModelledServer modelled) {
        MeasuredServer server = modelled.server();
        return List.of(
                server.model(), server.device(), server.deployment().engine().backend());
    }
}
