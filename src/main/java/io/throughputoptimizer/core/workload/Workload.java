package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.Nullable;

/// What is asked of a deployment.
///
/// @param lengths input lengths
/// @param outputs output lengths
/// @param prefixCacheHitRate share of input tokens found in the prefix cache, in [0, 1)
/// @param images images that come with each request, absent for text only
/// @param conversation whose turns requests are; absent where they have nothing to do with each other
public record Workload(
        Lengths lengths,
        OutputLengths outputs,
        double prefixCacheHitRate,
        @Nullable Images images,
        @Nullable Conversation conversation) {

    /// Images of a request.
    ///
    /// @param batchSize images per request; absent means as many as the batch size
    public record Images(@Nullable Integer batchSize, int height, int width) {

        /// Images of each request in a batch: those given, else as many as the batch has requests per rank.
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

    /// Of requests that have nothing to do with each other.
    public Workload(Lengths lengths, OutputLengths outputs, double prefixCacheHitRate, @Nullable Images images) {
        this(lengths, outputs, prefixCacheHitRate, images, null);
    }

    /// Turns of conversations. A single turn finds no other: it is a request of one length, of which the prefix cache
    /// has what all conversations begin with.
    public static Workload of(Conversation conversation) {
        OutputLengths outputs = OutputLengths.fixed(conversation.generatedTokens());
        return conversation.turns() == 1
                ? new Workload(new Lengths.Fixed(conversation.prompt(1)), outputs, conversation.hitRate(0), null)
                : new Workload(new Lengths.Mixed(conversation.distribution()), outputs, 0, null, conversation);
    }

    /// Every request generates as many tokens.
    public Workload(Lengths lengths, int outputTokens, double prefixCacheHitRate, @Nullable Images images) {
        this(lengths, OutputLengths.fixed(outputTokens), prefixCacheHitRate, images);
    }

    /// The same with other inputs, which are those of no conversation.
    public Workload with(Lengths other) {
        return new Workload(other, outputs, prefixCacheHitRate, images);
    }

    /// Most input tokens of any request.
    public int longestInput() {
        return conversation == null ? lengths.longest() : conversation.longestPrompt();
    }

    /// The same with another share of input tokens in the prefix cache.
    public Workload withPrefixHits(double share) {
        return new Workload(lengths, outputs, share, images, conversation);
    }

    /// The same with a single bin of input lengths as the fixed length that it stands for.
    public Workload withoutSoleBin() {
        return lengths instanceof Lengths.Mixed(LengthDistribution distribution)
                        && distribution.bins().size() == 1
                ? with(new Lengths.Fixed(
                        Math.max(1, distribution.bins().getFirst().midpoint())))
                : this;
    }

    /// Tokens generated per request.
    ///
    /// @throws IllegalStateException when requests differ
    public int outputTokens() {
        return outputs.sole().orElseThrow(() -> new IllegalStateException("requests differ in their output length"));
    }

    /// Whether all requests have the same input and output length.
    public boolean isOfOneLength() {
        return lengths instanceof Lengths.Fixed && outputs.sole().isPresent();
    }

    /// Input tokens that prefill computes per request; for a mix their mean.
    public int effectiveInputLength() {
        return lengths.effectiveLength(prefixCacheHitRate);
    }

    /// Most input tokens that prefill computes for any request.
    public int maxEffectiveInputLength() {
        return lengths.maxEffectiveLength(prefixCacheHitRate);
    }

    /// Context of a decoding request halfway through its output: `floor(output / 2) + input + queryLength`, where
    /// the hit rate leaves a fixed input length as it is.
    /// Where outputs differ, the whole tokens of the mean ([DecodeMix]).
    public int decodeSequenceLength(int queryLength) {
        return outputs.sole().isPresent()
                ? outputTokens() / 2 + lengths.decodeContext(prefixCacheHitRate) + queryLength
                : (int) DecodeMix.of(this, queryLength).meanContextTokens();
    }
}
