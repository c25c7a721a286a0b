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
@Schema(name = "Trace")
public record TraceResponse(
        int requests,
        TraceLengthsResponse input,
        TraceLengthsResponse output,
        ReadAsResponse readAs,
        @Nullable ArrivalsResponse arrivals,
        @Nullable PrefixCacheResponse prefixCache,
        WorkloadRequest correctedWorkload,
        WorkloadRequest workload,
        @Nullable RecordedRequestsRequest recordedRequests) {
    private static final double[] SHARES = {0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999};

    /// Names under which the lengths of a trace were read.
    @Schema(name = "TraceReadAs")
    public record ReadAsResponse(String format, String inputColumn, String outputColumn, int failedRequests) {}

    /// Lengths, before and after they are put into bins.
    @Schema(name = "TraceLengths")
    public record TraceLengthsResponse(
            int shortest,
            int longest,
            List<QuantileResponse> quantiles,
            MomentResponse mean,
            MomentResponse secondMoment,
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
    @Schema(name = "LengthQuantile")
    public record QuantileResponse(double share, int tokens) {}

    /// Change of a moment by putting lengths into bins.
    @Schema(name = "LengthMoment")
    public record MomentResponse(double before, double after, double loss) {
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
    @Schema(name = "TracePrefixCache")
    public record PrefixCacheResponse(
            int blockTokens,
            int distinctBlocks,
            double highestHitRate,
            @Nullable Long cacheTokens,
            @Nullable Double hitRate,
            List<HitsResponse> curve) {

        /// Hits of a cache of one size.
        @Schema(name = "TracePrefixHits")
        public record HitsResponse(long cacheTokens, double hitRate) {}

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
