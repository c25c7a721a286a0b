package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.RecordedRequestsRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.api.trace.TraceReader.PromptBlocks;
import io.throughputoptimizer.api.trace.TraceReader.Trace;
import io.throughputoptimizer.api.trace.TraceReader.TraceRequests;
import io.throughputoptimizer.api.trace.TraceReader.TraceRequests.Request;
import io.throughputoptimizer.core.workload.LengthBinning;
import io.throughputoptimizer.core.workload.LengthCounts;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.LengthMoments;
import io.throughputoptimizer.core.workload.PrefixReuse;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/// Lengths of a trace: bins for searches, and exact figures.
@Schema(name = "Trace", description = "Length distribution of a trace.")
public record TraceResponse(
        @Schema(description = "Requests in the trace.", example = "1000000")
        int requests,

        @Schema(description = "Lengths of the inputs.") TraceLengthsResponse input,

        @Schema(description = "Lengths of the outputs.") TraceLengthsResponse output,

        @Schema(description = "Fields that were read as lengths.")
        ReadAsResponse readAs,

        @Schema(
                description = "Arrival times of the requests. Absent unless every request has a time in a known or"
                        + " named field or column.")
        @Nullable
        ArrivalsResponse arrivals,

        @Schema(
                description = "Prefix cache hits of the prompts, in the order of the lines. Absent unless each"
                        + " request has `hash_ids`.")
        @Nullable
        PrefixCacheResponse prefixCache,

        @Schema(
                description =
                        "Both as `workload` of an optimization with accounting `steady`, which is its default there:"
                                + " the bins of the inputs and those of the outputs.")
        WorkloadRequest correctedWorkload,

        @Schema(description = "Both as `workload` of an optimization: the bins of the inputs, and the mean output.")
        WorkloadRequest workload,

        @Schema(
                description =
                        "Each request, as `workload.requests` of a simulation, with `requests=true`; in the order in"
                                + " which they were sent, from the first on, where `arrivals` are known. Absent where there are"
                                + " more than 20000, or one without a token.")
        @Nullable
        RecordedRequestsRequest recordedRequests) {
    private static final double[] SHARES = {0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999};

    /// Names under which the lengths of a trace were read.
    @Schema(name = "TraceReadAs", description = "Fields of a trace that were read as lengths.")
    public record ReadAsResponse(
            @Schema(
                    description =
                            "Origin of the field names: `own` (also lines without names), `mooncake`, `azure`,"
                                    + " `burstgpt`, `openai`, `vllm-bench` or `inference-perf`; `named` if the request names them.",
                    example = "own")
            String format,

            @Schema(description = "Column or member of the inputs.", example = "input_tokens")
            String inputColumn,

            @Schema(description = "Column or member of the outputs.", example = "output_tokens")
            String outputColumn,

            @Schema(
                    description = "Requests that failed, and are not counted: by `errors` of `vllm-bench`, `error` of"
                            + " `inference-perf`, or without a token of output in `burstgpt`.",
                    example = "0")
            int failedRequests) {}

    /// Lengths, before and after they are put into bins.
    @Schema(name = "TraceLengths", description = "Lengths, before and after they are put into bins.")
    public record TraceLengthsResponse(
            @Schema(description = "Tokens of the shortest.") int shortest,
            @Schema(description = "Tokens of the longest.") int longest,

            @Schema(description = "Quantiles of the lengths themselves, by nearest rank.")
            List<QuantileResponse> quantiles,

            @Schema(description = "Mean length, in tokens.") MomentResponse mean,

            @Schema(
                    description =
                            "Mean of the squared lengths, in tokens squared, which the work of attention" + " follows.")
            MomentResponse secondMoment,

            @Schema(description = "The bins; weights are numbers of requests.")
            LengthDistributionRequest lengthDistribution) {

        private static TraceLengthsResponse of(LengthCounts counts, LengthBinning binning, int most) {
            LengthDistribution bins = binning.of(counts, most);
            LengthMoments before = counts.moments();
            LengthMoments after = LengthMoments.of(bins);
            return new TraceLengthsResponse(
                    counts.shortest(),
                    counts.longest(),
                    DoubleStream.of(SHARES)
                            .mapToObj(share -> new QuantileResponse(share, counts.quantile(share)))
                            .toList(),
                    MomentResponse.of(before.mean(), after.mean()),
                    MomentResponse.of(before.second(), after.second()),
                    new LengthDistributionRequest(null, DistributionResponse.bins(bins)));
        }
    }

    /// A length that a share of all requests does not exceed.
    @Schema(name = "LengthQuantile", description = "A length that a share of all requests does not exceed.")
    public record QuantileResponse(
            @Schema(description = "Share of the requests.", example = "0.9")
            double share,

            @Schema(description = "Length in tokens.", example = "9000")
            int tokens) {}

    /// Change of a moment by putting lengths into bins.
    @Schema(name = "LengthMoment", description = "A figure before and after lengths are put into bins.")
    public record MomentResponse(
            @Schema(description = "Moment of the lengths in the trace.")
            double before,

            @Schema(description = "Moment of the bins' representative lengths, `floor((min + max) / 2)`, by weight.")
            double after,

            @Schema(description = "`after / before - 1`; 0 where both are 0.", example = "-0.01")
            double loss) {
        private static MomentResponse of(double before, double after) {
            return new MomentResponse(before, after, before == after ? 0 : after / before - 1);
        }
    }

    /// @param most bins of each, at the most
    /// @param blocks blocks of prompts
    /// @param requests whether each request is told
    public static TraceResponse of(
            Trace trace, LengthBinning binning, int most, PromptBlocks blocks, boolean requests) {
        TraceLengthsResponse input = TraceLengthsResponse.of(trace.input(), binning, most);
        TraceLengthsResponse output = TraceLengthsResponse.of(trace.output(), binning, most);
        int meanOutput = Math.max(1, Math.toIntExact(Math.round(output.mean().before())));
        PrefixCacheResponse cache = trace.reuse() == null ? null : PrefixCacheResponse.of(trace.reuse(), blocks);
        double hitRate = cache == null || cache.hitRate() == null ? 0 : cache.hitRate();
        return new TraceResponse(
                trace.input().requests(),
                input,
                output,
                new ReadAsResponse(
                        trace.columns().format(),
                        trace.columns().input(),
                        trace.columns().output(),
                        trace.failed()),
                trace.arrivals() == null ? null : ArrivalsResponse.of(trace.arrivals()),
                cache,
                WorkloadRequest.of(input.lengthDistribution(), null, output.lengthDistribution(), hitRate),
                WorkloadRequest.of(input.lengthDistribution(), meanOutput, null, hitRate),
                requests ? recorded(trace.requests()) : null);
    }

    private static @Nullable RecordedRequestsRequest recorded(TraceRequests.@Nullable Requests read) {
        if (read == null) {
            return null;
        }
        List<Request> requests = read.requests();
        return new RecordedRequestsRequest(
                requests.stream().map(Request::inputTokens).toList(),
                requests.stream().map(Request::outputTokens).toList(),
                read.timed()
                        ? requests.stream()
                                .map(request -> (double) (request.sentMillis()
                                        - requests.getFirst().sentMillis()))
                                .toList()
                        : null);
    }

    /// Prefix cache hits of a trace, by cache size.
    @Schema(name = "TracePrefixCache", description = "Prefix cache hits of the prompts of a trace, by cache size.")
    public record PrefixCacheResponse(
            @Schema(description = "Tokens of a block, as requested.", example = "512")
            int blockTokens,

            @Schema(description = "Blocks that differ, of all prompts.", example = "183166")
            int distinctBlocks,

            @Schema(
                    description = "Share of the tokens of all prompts that a cache would find that never forgets.",
                    example = "0.58")
            double highestHitRate,

            @Schema(description = "Requested cache size in tokens. Absent if none was requested.", example = "2000000")
            @Nullable
            Long cacheTokens,

            @Schema(
                    description =
                            "Share that a cache of `cache_tokens` would find; `prefix_cache_hit_rate` of both workloads.",
                    example = "0.41")
            @Nullable
            Double hitRate,

            @Schema(
                    description =
                            "Sizes of one block, two, four and so on, up to the first that holds all blocks that differ.")
            List<HitsResponse> curve) {

        /// Hits of a cache of one size.
        @Schema(name = "TracePrefixHits", description = "Prefix cache hits at one cache size.")
        public record HitsResponse(
                @Schema(description = "Size of the cache in tokens.", example = "1048576")
                long cacheTokens,

                @Schema(description = "Share of the tokens of all prompts.", example = "0.35")
                double hitRate) {}

        static PrefixCacheResponse of(PrefixReuse reuse, PromptBlocks blocks) {
            Long asked = blocks.cacheTokens();
            return new PrefixCacheResponse(
                    blocks.tokens(),
                    reuse.blocks(),
                    reuse.highestHitRate(),
                    asked,
                    asked == null ? null : (Double) reuse.hitRate(asked),
                    reuse.curve().stream()
                            .map(hits -> new HitsResponse(hits.cacheTokens(), hits.hitRate()))
                            .toList());
        }
    }
}
