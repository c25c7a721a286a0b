package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.Deployment;
import java.util.List;
import java.util.OptionalLong;

/// What one data parallel rank computes in a pass.
///
/// @param groups its requests
/// @param cacheBlocks KV cache blocks they occupy
/// @param selectedRows rows picked for the output head; empty when every row goes there unpicked
/// @param mixedPrefill whether a request list holds prefill requests of different query lengths
record RankBatch(List<ForwardShape.Group> groups, long cacheBlocks, OptionalLong selectedRows, boolean mixedPrefill) {
    /// Tokens of one KV cache block.
    static final long BLOCK_TOKENS = 128;

    static RankBatch of(ForwardShape shape, Deployment deployment) {
        return switch (shape) {
            case ForwardShape.Uniform uniform -> of(uniform, deployment);
            case ForwardShape.RequestList list -> of(list);
        };
    }

    /// Equal requests: `b = ceil(concurrency / dp)`, blocks `ceil((s + mtp + 1) b / 128)`. Prefill picks one
    /// row a request, decode takes all rows as they are.
    private static RankBatch of(ForwardShape.Uniform uniform, Deployment deployment) {
        long count = Math.ceilDiv(uniform.concurrency(), deployment.layout().dp());
        Request request = uniform.request();
        long growth = 1L + deployment.execution().mtpTokens();
        return new RankBatch(
                List.of(new ForwardShape.Group(count, request)),
                Math.ceilDiv((request.sequenceLength() + growth) * count, BLOCK_TOKENS),
                request.decode() ? OptionalLong.empty() : OptionalLong.of(count),
                false);
    }

    /// A rank's own list: blocks `ceil((sum(s) + requests) / 128)`. Rows are always picked: one a prefill
    /// request, all of a decode request.
    private static RankBatch of(ForwardShape.RequestList list) {
        long cached = 0;
        long rows = 0;
        for (ForwardShape.Group group : list.groups()) {
            Request request = group.request();
            cached += group.count() * (request.sequenceLength() + 1);
            rows += group.count() * (request.decode() ? request.queryLength() : 1);
        }
        long prefillLengths = list.groups().stream()
                .filter(group -> !group.request().decode())
                .map(group -> group.request().queryLength())
                .distinct()
                .count();
        return new RankBatch(
                list.groups(), Math.ceilDiv(cached, BLOCK_TOKENS), OptionalLong.of(rows), prefillLengths > 1);
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

    /// Tokens attended to, `sum(s_i)`.
    double contextTokens() {
        double sum = 0;
        for (ForwardShape.Group group : groups) {
            sum += (double) group.count() * group.request().sequenceLength();
        }
        return sum;
    }

    /// `C = sum(q_i s_i)`.
    double queryContextProduct() {
        double sum = 0;
        for (ForwardShape.Group group : groups) {
            Request request = group.request();
            sum += (double) group.count() * request.queryLength() * request.sequenceLength();
        }
        return sum;
    }

    /// Columns of the block table: blocks of the longest request.
    long longestBlocks() {
        long longest = groups.stream()
                .mapToLong(group -> group.request().sequenceLength())
                .max()
                .orElseThrow();
        return Math.ceilDiv(longest, BLOCK_TOKENS);
    }
}
