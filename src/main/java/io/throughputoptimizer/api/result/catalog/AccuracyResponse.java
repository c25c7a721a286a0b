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
@Schema(name = "Accuracy", description = "Accuracy of `cost_model: calibrated` against measured servers.")
public record AccuracyResponse(
        @Schema(description = "Errors over dense models, over models with experts, and over all.")
        List<ErrorsResponse> summary,

        @Schema(description = "Errors for each model, device and engine.")
        List<GroupResponse> groups,

        @Schema(
                description =
                        "Bands that figures carry, from errors on measured servers, every model with the same weight.")
        List<BandResponse> bands,

        @Schema(description = "Every server, measured and modelled.")
        List<ServerResponse> servers,

        @Schema(description = "Memory that start-up logs print, and that the memory law predicts.")
        StartupLogsResponse startupLogs) {

    /// Errors over some servers.
    @Schema(name = "AccuracyErrors", description = "Errors over some servers.")
    public record ErrorsResponse(
            @Schema(description = "Name of the group of servers.", example = "dense")
            String servers,

            @Schema(description = "Errors of steady-state TPOT.") @Nullable
            ErrorResponse tpot,

            @Schema(description = "Errors of steady-state TTFT.") @Nullable
            ErrorResponse ttft,

            @Schema(description = "TPOT errors of a roofline without fitted parameters.") @Nullable
            ErrorResponse rooflineTpot) {
        private static ErrorsResponse of(String name, List<ModelledServer> servers) {
            return new ErrorsResponse(
                    name,
                    ErrorResponse.from(Errors.ofTpot(servers)),
                    ErrorResponse.from(Errors.ofTtft(servers)),
                    ErrorResponse.from(Errors.ofRooflineTpot(servers)));
        }
    }

    /// Errors of one figure, in percent of the measured one.
    @Schema(name = "AccuracyError", description = "Errors of one figure, in percent of the measured one.")
    public record ErrorResponse(
            @Schema(description = "Servers that it was measured on.")
            int servers,

            @Schema(description = "Median of the absolute errors.")
            double medianPercent,

            @Schema(description = "90th percentile of the absolute errors.")
            double p90Percent,

            @Schema(description = "Median of the signed errors: above 0 when the figures are too large.")
            double biasPercent) {
        static @Nullable ErrorResponse from(Optional<Errors> errors) {
            return errors.map(known ->
                            new ErrorResponse(known.servers(), known.median(), known.ninetieth(), known.bias()))
                    .orElse(null);
        }
    }

    /// Errors on one model, device and engine.
    @Schema(name = "AccuracyGroup", description = "Errors on one model, device and engine.")
    public record GroupResponse(
            @Schema(description = "Model, as those call it who measured it.", example = "Llama-3.1-70B")
            String model,

            @Schema(description = "Device of the catalogue.", example = "H200_SXM")
            String device,

            @Schema(description = "Serving engine.", example = "vllm")
            String backend,

            @Schema(description = "Servers measured.") int servers,

            @Schema(description = "Errors of steady-state TPOT.") @Nullable
            ErrorResponse tpot,

            @Schema(description = "Errors of steady-state TTFT.") @Nullable
            ErrorResponse ttft) {
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
    @Schema(name = "AccuracyBand", description = "A band as multiples of the figure.")
    public record BandResponse(
            @Schema(description = "Figure and kind of model.", example = "tpot/dense")
            String basis,

            @Schema(description = "Servers that were measured.")
            int servers,

            @Schema(description = "Share of them that the band holds.", example = "0.9")
            double coverage,

            @Schema(description = "Lower end.", example = "0.9")
            double low,

            @Schema(description = "Upper end; absent where there is none.") @Nullable
            Double high) {
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
    @Schema(name = "AccuracyServer", description = "A server, measured and modeled.")
    public record ServerResponse(
            @Schema(description = "Model, as those call it who measured it.", example = "Llama-3.1-70B")
            String model,

            @Schema(description = "Device of the catalogue.", example = "H200_SXM")
            String device,

            @Schema(description = "Serving engine.", example = "vllm")
            String backend,

            @Schema(description = "Version of the engine. Absent if unknown.", example = "0.16.0") @Nullable
            String version,

            @Schema(description = "Quantization of weights and activations.", example = "FP8")
            String scheme,

            @Schema(description = "Type of the KV cache.", example = "fp8")
            String kvCacheDtype,

            @Schema(description = "Longest prompt in tokens.")
            int inputLength,

            @Schema(description = "Longest output in tokens.")
            int outputLength,

            @Schema(description = "Concurrency.") int concurrency,
            @Schema(description = "Tensor parallel ranks.") int tp,

            @Schema(description = "Attention data parallel ranks.")
            int dp,

            @Schema(description = "Mean TPOT measured, in ms; absent where it is not usable.") @Nullable
            Double measuredTpotMs,

            @Schema(description = "Steady TPOT, in ms.") double tpotMs,

            @Schema(description = "Mean TTFT measured, in ms; absent where it is not usable.") @Nullable
            Double measuredTtftMs,

            @Schema(description = "Steady TTFT, in ms.") double ttftMs) {
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
