package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// What one data parallel rank computes in a pass.
///
/// @param groups its requests
/// @param draftTokens draft tokens predicted for each request besides the next one, `m`
/// @param cacheBlocks KV cache blocks the requests occupy
/// @param selection which rows go to the output head
/// @param mixedPrefill whether a request list holds prefill requests of different query lengths
/// @param images images to be turned into tokens; absent when there are none
record RankBatch(
        List<ForwardShape.Group> groups,
        int draftTokens,
        long cacheBlocks,
        Selection selection,
        boolean mixedPrefill,
        @Nullable ImageLoad images) {
    /// Tokens of one KV cache block.
    static final long BLOCK_TOKENS = 128;

    /// Rows that go to the output head.
    sealed interface Selection {
        /// Every row, unpicked.
        record All() implements Selection {}

        /// Rows picked by an index.
        record Picked(long rows) implements Selection {}

        /// The last `m + 1` rows of each request, which decodes drafts of an earlier step.
        record Drafts(long rows) implements Selection {}
    }

    static RankBatch of(ForwardShape shape, Deployment deployment) {
        int draftTokens = deployment.execution().mtpTokens();
        return switch (shape) {
            case ForwardShape.Uniform uniform -> {
                long count =
                        Math.ceilDiv(uniform.concurrency(), deployment.layout().dp());
                ImageLoad images =
                        ImageLoad.of(uniform.images(), deployment.model().vision(), count);
                yield images == null
                        ? of(uniform.request(), count, draftTokens)
                        : of(images.extended(uniform.request()), count, draftTokens)
                                .withImages(uniform.request().decode() ? null : images);
            }
            case ForwardShape.RequestList list -> of(list, draftTokens);
        };
    }

    /// Equal requests. Prefill picks one row a request, decode takes all rows as they are.
    private static RankBatch of(Request request, long count, int draftTokens) {
        List<ForwardShape.Group> groups = List.of(new ForwardShape.Group(count, request));
        Selection plain = request.decode() ? new Selection.All() : new Selection.Picked(count);
        return of(groups, draftTokens, plain, false);
    }

    /// A rank's own list. Rows are picked: one a prefill request, all of a decode request.
    private static RankBatch of(ForwardShape.RequestList list, int draftTokens) {
        long rows = 0;
        for (ForwardShape.Group group : list.groups()) {
            Request request = group.request();
            rows += group.count() * (request.decode() ? request.queryLength() : 1);
        }
        long prefillLengths = list.groups().stream()
                .filter(group -> !group.request().decode())
                .map(group -> group.request().queryLength())
                .distinct()
                .count();
        return of(list.groups(), draftTokens, new Selection.Picked(rows), prefillLengths > 1);
    }

    /// Blocks are `ceil((sum(s) + B (m + 1)) / 128)`.
    private static RankBatch of(
            List<ForwardShape.Group> groups, int draftTokens, Selection plain, boolean mixedPrefill) {
        long requests = 0;
        long cached = 0;
        for (ForwardShape.Group group : groups) {
            requests += group.count();
            cached += group.count() * (group.request().sequenceLength() + draftTokens + 1);
        }
        groups.forEach(group -> requireDrafts(group.request(), draftTokens));
        boolean verifies = draftTokens > 0
                && groups.stream().allMatch(group -> group.request().decode());
        Selection selection = verifies ? new Selection.Drafts(requests * (draftTokens + 1)) : plain;
        return new RankBatch(groups, draftTokens, Math.ceilDiv(cached, BLOCK_TOKENS), selection, mixedPrefill, null);
    }

    private RankBatch withImages(@Nullable ImageLoad load) {
        return new RankBatch(groups, draftTokens, cacheBlocks, selection, mixedPrefill, load);
    }

    /// A decode request computes its next token and all drafts: fewer have never been measured.
    private static void requireDrafts(Request request, int draftTokens) {
        if (request.decode() && request.queryLength() <= draftTokens) {
            throw new IllegalArgumentException("query length of a decode request is " + request.queryLength()
                    + ": at least " + (draftTokens + 1) + " is needed with " + draftTokens + " draft tokens");
        }
    }

    /// Whether some requests decode and some do not.
    boolean hasBothPhases() {
        return groups.stream().map(group -> group.request().decode()).distinct().count() > 1;
    }

    /// Number of requests, `B`.
    long requests() {
        return groups.stream().mapToLong(ForwardShape.Group::count).sum();
    }

    /// Tokens computed, `S = sum(q_i)`.
    long tokens() {
        return groups.stream()
                .mapToLong(group -> group.count() * group.request().queryLength())
                .sum();
    }

    /// Sum of `value` over all requests.
    double sum(ToDoubleFunction<Request> value) {
        double sum = 0;
        for (ForwardShape.Group group : groups) {
            sum += group.count() * value.applyAsDouble(group.request());
        }
        return sum;
    }

    /// Largest `value` of a request.
    long largest(ToLongFunction<Request> value) {
        return groups.stream()
                .mapToLong(group -> value.applyAsLong(group.request()))
                .max()
                .orElseThrow();
    }

    /// Tokens attended to, `sum(s_i)`.
    double contextTokens() {
        return sum(Request::sequenceLength);
    }

    /// `C = sum(q_i s_i)`.
    double queryContextProduct() {
        return sum(request -> (double) request.queryLength() * request.sequenceLength());
    }

    /// Tokens of the longest request, `max(s_i)`.
    long longestSequence() {
        return largest(Request::sequenceLength);
    }

    /// Columns of the block table: blocks of the longest request.
    long longestBlocks() {
        return Math.ceilDiv(longestSequence(), BLOCK_TOKENS);
    }
}
