package io.throughputoptimizer.api.metrics;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Traffic of a running server, as its metrics state it. What they do not say is absent.
@Schema(name = "ServerTraffic", description = "Traffic of a running server, as its metrics state it.")
public record MetricsResponse(
        @Schema(description = "Source and extent of the metrics.")
        SourceResponse readAs,

        @Schema(description = "Finished requests and rates.")
        RequestsResponse requests,

        @Schema(description = "Lengths by `input` and `output`; absent without a usable histogram.")
        Map<String, LengthsResponse> lengths,

        @Schema(description = "Share of prompt tokens found in the prefix cache.") @Nullable
        HitsResponse prefixCache,

        @Schema(description = "Requests in flight.") LoadResponse load,

        @Schema(description = "KV cache of the server.") @Nullable
        CacheResponse kvCache,

        @Schema(description = "Draft tokens of the server; absent if it has none.") @Nullable
        DraftsResponse speculation,

        @Schema(description = "Mean latencies by `ttft_ms`, `tpot_ms`, `itl_ms`, `e2e_ms` and `queue_ms`.")
        Map<String, LatencyResponse> latency,

        @Schema(description = "Lengths and hit rate as `workload` of an optimization.")
        WorkloadResponse workload,

        @Schema(description = "Arrivals as `demand` of mode `capacity`; absent without a window.") @Nullable
        DemandRequest demand,

        @Schema(description = "Figures as a row of `feedback`.")
        MeasuredResponse measured,

        @Schema(description = "Finished requests in each hour of the clock; three or more scrapes give it.") @Nullable
        List<HourResponse> rateProfile,

        @Schema(description = "Things to know before you rely on the values.")
        List<String> warnings) {

    /// Source and extent of metrics.
    @Schema(name = "MetricsSource", description = "Source and extent of metrics.")
    public record SourceResponse(
            @Schema(description = "`vllm`, `sglang`, `trtllm`, `dynamo`, `llm-d` or `tgi`.", example = "vllm")
            String source,

            @Schema(description = "`text` or `prometheus`.", example = "text")
            String format,

            @Schema(description = "Number of scrapes of all instances.", example = "2")
            int scrapes,

            @Schema(description = "Number of instances.", example = "1")
            int instances,

            @Schema(description = "Attention data parallel ranks of an instance.", example = "1")
            int ranksPerInstance,

            @Schema(description = "Model whose series count.", example = "Qwen/Qwen3-32B") @Nullable
            String modelName,

            @Schema(description = "Samples of servers.", example = "436")
            int samples,

            @Schema(description = "Samples of other programs.", example = "4")
            long passedOver,

            @Schema(description = "Values of `engine_type`, if instances serve one phase.") @Nullable
            List<String> roles,

            @Schema(description = "Length of the window, in seconds.", example = "1200.0") @Nullable
            Double windowS,

            @Schema(
                    description = "`between_scrapes`, `since_start` (one scrape with a time) or `unknown`.",
                    example = "between_scrapes")
            String window,

            @Schema(description = "Most restarts that a series shows in the window.", example = "0")
            int resets) {}

    /// Finished requests.
    @Schema(name = "FinishedRequests", description = "Finished requests.")
    public record RequestsResponse(
            @Schema(description = "Requests that finished in the window.", example = "1300.0") @Nullable
            Double finished,

            @Schema(description = "Share of them that were aborted.", example = "0.0") @Nullable
            Double abortedRatio,

            @Schema(description = "Finished requests/s.", example = "1.08") @Nullable
            Double finishedPerS,

            @Schema(description = "Arrived requests/s: finished ones and growth of those in flight.", example = "1.08")
            @Nullable
            Double arrivedPerS) {}

    /// Lengths of requests.
    @Schema(name = "ServedLengths", description = "Lengths of requests.")
    public record LengthsResponse(
            @Schema(description = "Number of requests.", example = "1300")
            long requests,

            @Schema(description = "Exact mean, in tokens.", example = "3741.1")
            double mean,

            @Schema(description = "Bins; weights are numbers of requests.")
            List<LengthBinRequest> bins,

            @Schema(description = "Mean of the bins, in tokens.", example = "3741.1")
            double meanAfter,

            @Schema(description = "Mean square of the bins.")
            SquareResponse meanSquare,

            @Schema(description = "Bucket that holds `p50`, `p90` and `p99`.")
            Map<String, RangeResponse> quantiles,

            @Schema(description = "Requests above the last edge; absent if there are none, or with `context_tokens`.")
            @Nullable
            OpenResponse openBucket) {}

    /// A mean square with its range.
    @Schema(name = "MeanSquare", description = "Mean square of lengths, in tokens squared.")
    public record SquareResponse(
            @Schema(description = "Mean square of the bins.")
            double value,

            @Schema(description = "Least mean square of any lengths with these counts and this sum.")
            double low,

            @Schema(description = "Greatest such mean square; absent with an open bucket.") @Nullable
            Double high) {}

    /// Lengths of a bucket.
    @Schema(name = "LengthRange", description = "Lengths of a bucket.")
    public record RangeResponse(
            @Schema(description = "Shortest length, in tokens.", example = "2001")
            long low,

            @Schema(description = "Longest length, in tokens; absent if unknown.", example = "5000") @Nullable
            Long high) {}

    /// Requests above the last edge.
    @Schema(name = "OpenBucket", description = "Requests above the last edge of a histogram.")
    public record OpenResponse(
            @Schema(description = "Number of requests.", example = "4.0")
            double requests,

            @Schema(description = "Shortest length, in tokens.", example = "20001")
            long fromTokens,

            @Schema(description = "Mean length in the bins, in tokens.", example = "28037")
            long takenAs) {}

    /// Hits of a prefix cache.
    @Schema(name = "PrefixHits", description = "Hits of a prefix cache.")
    public record HitsResponse(
            @Schema(description = "Share of prompt tokens, from 0 to 1.", example = "0.4")
            double hitRate,

            @Schema(
                    description =
                            "`hits_per_query`, `cached_tokens`, or `last_batch_gauge`, which is of one batch only.",
                    example = "hits_per_query")
            String from) {}

    /// Requests in flight.
    @Schema(name = "ServedLoad", description = "Requests in flight at all instances.")
    public record LoadResponse(
            @Schema(description = "Running requests at the last scrape.", example = "12.0") @Nullable
            Double running,

            @Schema(description = "Waiting requests at the last scrape.", example = "0.0") @Nullable
            Double waiting,

            @Schema(description = "Mean requests in flight.", example = "11.94") @Nullable
            Double concurrency,

            @Schema(
                    description = "`latency_sum`: sum of latencies per second of the window; `gauges`: running and"
                            + " waiting requests.",
                    example = "latency_sum")
            @Nullable
            String concurrencyFrom) {}

    /// KV cache of a server.
    @Schema(name = "ServedCache", description = "KV cache of a server.")
    public record CacheResponse(
            @Schema(
                    description = "Tokens of the smallest rank. If layers differ in their cache, this is no capacity.",
                    example = "444800")
            @Nullable
            Long tokensPerRank,

            @Schema(description = "Share in use at the last scrape, from 0 to 1.", example = "0.61") @Nullable
            Double usageRatio) {}

    /// Draft tokens of a server.
    @Schema(name = "ServedDrafts", description = "Draft tokens of a server.")
    public record DraftsResponse(
            @Schema(description = "Draft tokens of a step.", example = "3") @Nullable
            Long numDraftTokens,

            @Schema(description = "Tokens of a step, the free one included.", example = "2.59") @Nullable
            Double acceptanceLength,

            @Schema(description = "Accepted drafts at each position, per draft.", example = "[0.8, 0.49, 0.3]")
            @Nullable
            List<Double> rates) {}

    /// A mean latency.
    @Schema(name = "MeanLatency", description = "Mean latency.")
    public record LatencyResponse(
            @Schema(description = "Mean, in milliseconds.", example = "22.49")
            double mean,

            @Schema(description = "Number of samples.", example = "608965")
            long samples,

            @Schema(
                    description = "Source of TPOT: `decode_time`, `latency_minus_ttft`, `inter_token_latency` or"
                            + " `request_mean`.",
                    example = "decode_time")
            @Nullable
            String from) {}

    /// Lengths that a search takes.
    @Schema(name = "ServedWorkload", description = "Lengths and hit rate as `workload` of an optimization.")
    public record WorkloadResponse(
            @Schema(description = "Input lengths.") @Nullable
            LengthDistributionRequest lengthDistribution,

            @Schema(description = "Mean input length, if there are counters only.") @Nullable
            Integer inputLength,

            @Schema(description = "Output lengths.") @Nullable
            LengthDistributionRequest outputDistribution,

            @Schema(description = "Mean output length, if there are counters only.") @Nullable
            Integer outputLength,

            @Schema(description = "Hit rate, to four decimals.", example = "0.4") @Nullable
            Double prefixCacheHitRate) {
        boolean isEmpty() {
            return lengthDistribution == null
                    && inputLength == null
                    && outputDistribution == null
                    && outputLength == null;
        }
    }

    /// A measured row and its fitness.
    @Schema(name = "ServedRow", description = "Figures as a row of `feedback`, without its layout.")
    public record MeasuredResponse(
            @Schema(description = "The row; a value is absent if the metrics do not state it.")
            RowResponse row,

            @Schema(description = "True if `feedback` can take the row.")
            boolean usable,

            @Schema(description = "Reasons against it.") List<String> reasons) {}

    /// A measured row.
    @Schema(name = "ServedRowFigures", description = "Figures of one instance.")
    public record RowResponse(
            @Schema(description = "Requests in flight, a multiple of the ranks.", example = "12") @Nullable
            Integer concurrency,

            @Schema(description = "Mean input length, in tokens.", example = "3741") @Nullable
            Integer inputLength,

            @Schema(description = "Mean output length, in tokens.", example = "469") @Nullable
            Integer outputLength,

            @Schema(description = "Mean TTFT at the server, in milliseconds.", example = "489.04") @Nullable
            Double ttftMs,

            @Schema(description = "Mean TPOT, in milliseconds.", example = "22.49") @Nullable
            Double tpotMs) {}

    /// Rate in an hour.
    @Schema(name = "HourlyRate", description = "Finished requests in an hour of the clock.")
    public record HourResponse(
            @Schema(description = "Start of the hour, in Unix seconds.", example = "1789999200")
            long fromSeconds,

            @Schema(description = "Finished requests/s.", example = "0.18")
            double requestsPerS) {}
}
