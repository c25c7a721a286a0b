package io.throughputoptimizer.api.metrics;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Traffic of a running server, as its metrics state it. What they do not say is absent.
@Schema(name = "ServerTraffic")
public record MetricsResponse(
        SourceResponse readAs,
        RequestsResponse requests,
        Map<String, LengthsResponse> lengths,
        @Nullable HitsResponse prefixCache,
        LoadResponse load,
        @Nullable CacheResponse kvCache,
        @Nullable DraftsResponse speculation,
        Map<String, LatencyResponse> latency,
        WorkloadResponse workload,
        @Nullable DemandRequest demand,
        MeasuredResponse measured,
        @Nullable List<HourResponse> rateProfile,
        List<String> warnings) {

    /// Source and extent of metrics.
    @Schema(name = "MetricsSource")
    public record SourceResponse(
            String source,
            String format,
            int scrapes,
            int instances,
            int ranksPerInstance,
            @Nullable String modelName,
            int samples,
            long passedOver,
            @Nullable List<String> roles,
            @Nullable Double windowS,
            String window,
            int resets) {}

    /// Finished requests.
    @Schema(name = "FinishedRequests")
    public record RequestsResponse(
            @Nullable Double finished,
            @Nullable Double abortedRatio,
            @Nullable Double finishedPerS,
            @Nullable Double arrivedPerS) {}

    /// Lengths of requests.
    @Schema(name = "ServedLengths")
    public record LengthsResponse(
            long requests,
            double mean,
            List<LengthBinRequest> bins,
            double meanAfter,
            SquareResponse meanSquare,
            Map<String, RangeResponse> quantiles,
            @Nullable OpenResponse openBucket) {}

    /// A mean square with its range.
    @Schema(name = "MeanSquare")
    public record SquareResponse(
            double value, double low, @Nullable Double high) {}

    /// Lengths of a bucket.
    @Schema(name = "LengthRange")
    public record RangeResponse(long low, @Nullable Long high) {}

    /// Requests above the last edge.
    @Schema(name = "OpenBucket")
    public record OpenResponse(double requests, long fromTokens, long takenAs) {}

    /// Hits of a prefix cache.
    @Schema(name = "PrefixHits")
    public record HitsResponse(double hitRate, String from) {}

    /// Requests in flight.
    @Schema(name = "ServedLoad")
    public record LoadResponse(
            @Nullable Double running,
            @Nullable Double waiting,
            @Nullable Double concurrency,
            @Nullable String concurrencyFrom) {}

    /// KV cache of a server.
    @Schema(name = "ServedCache")
    public record CacheResponse(
            @Nullable Long tokensPerRank, @Nullable Double usageRatio) {}

    /// Draft tokens of a server.
    @Schema(name = "ServedDrafts")
    public record DraftsResponse(
            @Nullable Long numDraftTokens,
            @Nullable Double acceptanceLength,
            @Nullable List<Double> rates) {}

    /// A mean latency.
    @Schema(name = "MeanLatency")
    public record LatencyResponse(
            double mean, long samples, @Nullable String from) {}

    /// Lengths that a search takes.
    @Schema(name = "ServedWorkload")
    public record WorkloadResponse(
            @Nullable LengthDistributionRequest lengthDistribution,
            @Nullable Integer inputLength,
            @Nullable LengthDistributionRequest outputDistribution,
            @Nullable Integer outputLength,
            @Nullable Double prefixCacheHitRate) {
        boolean isEmpty() {
            return lengthDistribution == null
                    && inputLength == null
                    && outputDistribution == null
                    && outputLength == null;
        }
    }

    /// A measured row and its fitness.
    @Schema(name = "ServedRow")
    public record MeasuredResponse(RowResponse row, boolean usable, List<String> reasons) {}

    /// A measured row.
    @Schema(name = "ServedRowFigures")
    public record RowResponse(
            @Nullable Integer concurrency,
            @Nullable Integer inputLength,
            @Nullable Integer outputLength,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs) {}

    /// Rate in an hour.
    @Schema(name = "HourlyRate")
    public record HourResponse(long fromSeconds, double requestsPerS) {}
}
