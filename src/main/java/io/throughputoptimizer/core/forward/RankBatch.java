package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.forward.decoder.PassKind;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.model.VisionSpec;
import io.throughputoptimizer.core.operator.Quantities;
import io.throughputoptimizer.core.operator.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The work of one data parallel rank in a pass.
///
/// @param groups groups of equal requests
/// @param picked whether an index picks the rows for the output head
/// @param images images that become tokens; absent if there are none
/// @param knowsContext whether the reference assumes earlier tokens; for a list, before the first request
record RankBatch(
        List<ForwardShape.Group> groups,
        boolean picked,
        @Nullable ImageLoad images,
        boolean knowsContext) {
    /// Decode context parallelism takes any request with fewer new tokens for a decode request, whatever it is.
    private static final long CONTEXT_QUERY_LENGTH = 6;

    /// Creates the batch of one rank. Equal requests: prefill picks one row each, decode takes all rows. A list
    /// picks rows unless it says otherwise.
    static RankBatch of(ForwardShape shape, Deployment deployment) {
        return switch (shape) {
            case ForwardShape.Uniform uniform -> {
                Request request = uniform.request();
                long count =
                        Math.ceilDiv(uniform.concurrency(), deployment.layout().dp());
                ImageLoad images =
                        ImageLoad.of(uniform.images(), deployment.model().vision(), count);
                Request whole = images == null ? request : images.extended(request);
                yield new RankBatch(
                        List.of(new ForwardShape.Group(count, whole)),
                        !request.decode(),
                        request.decode() ? null : images,
                        uniform.knowsContext());
            }
            case ForwardShape.RequestList list -> {
                Request first = list.groups().getFirst().request();
                yield new RankBatch(
                        list.groups(), list.picksRows(), null, first.sequenceLength() > first.queryLength());
            }
        };
    }

    /// Reads the quantities of the requests. Blocks are `ceil(ceil((sum(s) + B (m + 1)) / 128) / F)`; picked are one
    /// row of a prefill request and all of a decode request.
    ///
    /// @param draftTokens `m`
    /// @param capacityFactor `F` ([Deployment#cacheCapacityFactor()])
    /// @param quantities receives the quantities
    /// @return tokens computed
    long read(int draftTokens, int capacityFactor, Quantities quantities) {
        long requests = 0;
        long tokens = 0;
        long rows = 0;
        long longest = 0;
        double context = 0;
        double product = 0;
        for (ForwardShape.Group group : groups) {
            Request request = group.request();
            requireDrafts(request, draftTokens);
            requests += group.count();
            tokens += group.count() * request.queryLength();
            rows += group.count() * (request.decode() ? request.queryLength() : 1);
            longest = Math.max(longest, request.sequenceLength());
            context += (double) group.count() * request.sequenceLength();
            product += group.count() * ((double) request.queryLength() * request.sequenceLength());
        }
        quantities.set(Quantity.REQUESTS, requests);
        quantities.set(Quantity.TOKENS, tokens);
        quantities.set(Quantity.ROWS, rows);
        quantities.set(Quantity.LONGEST_SEQUENCE, longest);
        quantities.set(Quantity.LONGEST_BLOCKS, Math.ceilDiv(longest, AttentionBlock.BLOCK_TOKENS));
        quantities.set(Quantity.CONTEXT_TOKENS, context);
        quantities.set(Quantity.QUERY_CONTEXT_PRODUCT, product);
        double blocks = Math.ceil((context + (double) requests * (draftTokens + 1)) / AttentionBlock.BLOCK_TOKENS);
        quantities.set(Quantity.CACHE_BLOCKS, Math.ceil(blocks / capacityFactor));
        quantities.set(Quantity.IMAGES, images == null ? 0 : images.images());
        return tokens;
    }

    private static void requireDrafts(Request request, int draftTokens) {
        String obstacle = request.obstacle(draftTokens);
        if (obstacle != null) {
            throw new IllegalArgumentException("query length of a decode request " + obstacle);
        }
    }

    PassKind.Selection selection(int draftTokens) {
        if (draftTokens > 0 && decodes(true) == groups.size()) {
            return PassKind.Selection.DRAFTS;
        }
        return picked ? PassKind.Selection.PICKED : PassKind.Selection.ALL;
    }

    /// Returns whether the batch holds both prefill and decode requests.
    boolean hasBothPhases() {
        int decoding = decodes(true);
        return decoding > 0 && decoding < groups.size();
    }

    /// Returns whether any request decodes.
    boolean decodes() {
        return decodes(true) > 0;
    }

    /// Returns whether decode context parallelism can act: every request has context and few new tokens.
    boolean sharesContext() {
        for (ForwardShape.Group group : groups) {
            Request request = group.request();
            if (request.queryLength() >= CONTEXT_QUERY_LENGTH || request.sequenceLength() == request.queryLength()) {
                return false;
            }
        }
        return true;
    }

    private int decodes(boolean decode) {
        int count = 0;
        for (ForwardShape.Group group : groups) {
            count += group.request().decode() == decode ? 1 : 0;
        }
        return count;
    }

    /// Returns whether prefill requests differ in query length.
    boolean mixesPrefillLengths() {
        long first = 0;
        for (ForwardShape.Group group : groups) {
            Request request = group.request();
            if (!request.decode()) {
                if (first != 0 && first != request.queryLength()) {
                    return true;
                }
                first = request.queryLength();
            }
        }
        return false;
    }

    /// Images of one data parallel rank, all of one size.
    ///
    /// @param grid patches of an image
    /// @param images number of images of all requests
    /// @param tokensPerRequest tokens that the images of a request become
    record ImageLoad(ImagePatching.Grid grid, long images, long tokensPerRequest) {

        /// Images of `requests` requests; absent without any, and for a model that reads text only: it ignores them.
        static @Nullable ImageLoad of(@Nullable ImageInput input, @Nullable VisionSpec vision, long requests) {
            if (input == null || vision == null) {
                return null;
            }
            ImagePatching.Grid grid = vision.patching().grid(input.height(), input.width());
            return new ImageLoad(
                    grid,
                    input.batchSize() * requests,
                    input.batchSize() * vision.patching().tokens(grid));
        }

        /// A text request with the tokens of its images: prefill computes them, decode finds them in its context.
        Request extended(Request text) {
            long query = text.queryLength() + (text.decode() ? 0 : tokensPerRequest);
            return new Request(query, text.sequenceLength() + tokensPerRequest, text.decode());
        }
    }
}
