package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// Requests that a deployment serves.
///
/// @param lengths input lengths
/// @param outputs output lengths
/// @param prefixCacheHitRate share of input tokens found in the prefix cache, in [0, 1)
/// @param images images of each request; absent for text only
/// @param conversation conversation whose turns the requests are; absent for independent requests
public record Workload(
        Lengths lengths,
        OutputLengths outputs,
        double prefixCacheHitRate,
        @Nullable Images images,
        @Nullable Conversation conversation) {

    /// Images of a request.
    ///
    /// @param batchSize images per request; absent for the batch size
    public record Images(@Nullable Integer batchSize, int height, int width) {

        /// Returns the images of each request in a batch: the given number, else the requests per rank.
        public int perRequest(long requestsPerRank) {
            return batchSize != null ? batchSize : Math.toIntExact(requestsPerRank);
        }
    }

    public Workload {
        if (!(prefixCacheHitRate >= 0 && prefixCacheHitRate < 1)) {
            throw new IllegalArgumentException(
                    "prefix cache hit rate is " + prefixCacheHitRate + ": a share in [0, 1) is needed");
        }
    }

    /// Creates a workload of independent requests.
    public Workload(Lengths lengths, OutputLengths outputs, double prefixCacheHitRate, @Nullable Images images) {
        this(lengths, outputs, prefixCacheHitRate, images, null);
    }

    /// Returns a workload of conversation turns. A single turn is a request of one length whose prefix cache
    /// holds the shared system prompt.
    public static Workload of(Conversation conversation) {
        OutputLengths outputs = OutputLengths.fixed(conversation.generatedTokens());
        return conversation.turns() == 1
                ? new Workload(new Lengths.Fixed(conversation.prompt(1)), outputs, conversation.hitRate(0), null)
                : new Workload(new Lengths.Mixed(conversation.distribution()), outputs, 0, null, conversation);
    }

    /// Creates a workload with one output length for all requests.
    public Workload(Lengths lengths, int outputTokens, double prefixCacheHitRate, @Nullable Images images) {
        this(lengths, OutputLengths.fixed(outputTokens), prefixCacheHitRate, images);
    }

    /// Returns a copy with other input lengths and without a conversation.
    public Workload with(Lengths other) {
        return new Workload(other, outputs, prefixCacheHitRate, images);
    }

    /// Returns the most input tokens of any request.
    public int longestInput() {
        return conversation == null ? lengths.longest() : conversation.longestPrompt();
    }

    /// Returns a copy with another prefix cache hit rate.
    public Workload withPrefixHits(double share) {
        return new Workload(lengths, outputs, share, images, conversation);
    }

    /// Returns a copy whose single bin of input lengths is replaced by its representative length.
    public Workload withoutSoleBin() {
        return lengths instanceof Lengths.Mixed(LengthDistribution distribution)
                        && distribution.bins().size() == 1
                ? with(new Lengths.Fixed(
                        Math.max(1, distribution.bins().getFirst().midpoint())))
                : this;
    }

    /// Returns the output tokens per request.
    ///
    /// @throws IllegalStateException if requests differ
    public int outputTokens() {
        return outputs.sole().orElseThrow(() -> new IllegalStateException("requests differ in their output length"));
    }

    /// Returns whether all requests have the same input and output length.
    public boolean isOfOneLength() {
        return lengths instanceof Lengths.Fixed && outputs.sole().isPresent();
    }

    /// Returns the input tokens that prefill computes per request; the mean for a mix.
    public int effectiveInputLength() {
        return lengths.effectiveLength(prefixCacheHitRate);
    }

    /// Returns the most input tokens that prefill computes for any request.
    public int maxEffectiveInputLength() {
        return lengths.maxEffectiveLength(prefixCacheHitRate);
    }

    /// Returns the context of a decoding request halfway through its output: `floor(output / 2) + input +
    /// queryLength`. The hit rate does not change a fixed input length. If outputs differ, returns the mean
    /// rounded down ([DecodeMix]).
    public int decodeSequenceLength(int queryLength) {
        return outputs.sole().isPresent()
                ? outputTokens() / 2 + lengths.decodeContext(prefixCacheHitRate) + queryLength
                : (int) DecodeMix.of(this, queryLength).meanContextTokens();
    }
}
