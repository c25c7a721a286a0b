package io.throughputoptimizer.core.serving;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ForwardShape.Group;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.RequestMix;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How long an instance is busy with a request in the mean, worked out pass by pass as the specification writes them
/// down: one after another, but for the two that share a step of the chunked simulation, each priced by itself, nothing
/// at its mean. What is said to be served in a second must not take longer than a second of it.
///
/// Which lengths a batch holds is left to [RequestMix] and [DecodeMix]. Workloads without images.
public final class DeviceTime {
    private static final double SLACK = 1.15;

    private final ServingTerms terms;
    private final int ranks;
    private final long concurrency;
    private final PassEstimator passes;
    private final int decodeQuery;
    private final double tokensPerStep;
    private final Map<ForwardShape, Double> known = new HashMap<>();

    private DeviceTime(Deployment deployment, ServingTerms terms, long batchSize, ForwardEstimator estimator) {
        this.terms = terms;
        this.ranks = deployment.layout().dp();
        this.concurrency = batchSize * ranks;
        this.passes = estimator.on(deployment);
        this.decodeQuery = deployment.execution().decodeQueryLength();
        this.tokensPerStep =
                terms.acceptance().tokensPerStep(deployment.execution().mtpTokens());
    }

    /// In milliseconds, of an instance with `batchSize` requests per data parallel rank.
    public static double millisPerRequest(
            Phase phase, Deployment deployment, ServingTerms terms, long batchSize, ForwardEstimator estimator) {
        DeviceTime time = new DeviceTime(deployment, terms, batchSize, estimator);
        return switch (phase) {
            case AGGREGATION -> time.together() / time.concurrency;
            case PREFILL -> time.promptMillis(terms.servingCostMillis());
            case DECODE ->
                (time.decodeStep(terms.workload().isOfOneLength()) + terms.servingCostMillis())
                        / time.tokensPerStep
                        * terms.workload().outputs().meanDecoded()
                        / time.concurrency;
        };
    }

    /// Of all requests at once.
    private double together() {
        if (terms.workload().lengths() instanceof Lengths.Fixed && newTokens() > terms.maxBatchedTokens()) {
            return walk();
        }
        double prompts =
                terms.workload().lengths() instanceof Lengths.Fixed ? waves(newTokens(), newTokens()) : mixedPrompts();
        return prompts
                + decodeStep(terms.workload().outputs().sole().isPresent())
                        / tokensPerStep
                        * terms.workload().outputs().mean();
    }

    /// With unequal lengths by new tokens, so that a batch without long prompts counts as the traffic does.
    private double promptMillis(double cost) {
        if (terms.workload().lengths() instanceof Lengths.Mixed(var distribution)) {
            RequestMix mix = RequestMix.of(distribution, terms.workload().prefixCacheHitRate());
            double mean = mix.lengths().stream()
                    .mapToDouble(length -> length.requestRatio() * length.queryLength())
                    .sum();
            long tokens = prompts().stream()
                    .mapToLong(part -> part.samples() * part.length().queryLength())
                    .sum();
            return (cost + mixedPrompts()) * mean / (tokens * ranks);
        }
        int length = newTokens();
        if (length <= terms.maxBatchedTokens()) {
            return (cost + (isReference() ? prefill(concurrency, length, length) : waves(length, length)))
                    / concurrency;
        }
        double millis = cost;
        for (int done = 0; done < length; ) {
            int chunk = Math.min(terms.maxBatchedTokens(), length - done);
            done += chunk;
            millis += waves(chunk, done);
        }
        return millis / concurrency;
    }

    /// One part of every prompt, as many prompts at once as the budget holds.
    private double waves(int tokens, int context) {
        double millis = 0;
        for (long left = concurrency; left > 0; ) {
            long wave = Math.min(left, Math.max(1, budget() / tokens));
            millis += prefill(wave, tokens, context);
            left -= wave;
        }
        return millis;
    }

    /// Passes of one rank's prompts, each filled up to the budget with the next prompts or parts of them; the other
    /// ranks compute the same meanwhile.
    private double mixedPrompts() {
        List<Group> pass = new ArrayList<>();
        double millis = 0;
        long room = isReference() ? Long.MAX_VALUE : terms.maxBatchedTokens();
        for (LengthSamples part : prompts()) {
            int length = part.length().queryLength();
            for (long prompt = 0; prompt < part.samples(); prompt++) {
                int done = 0;
                while (done < length) {
                    int taken = (int) Math.min(room, length - done);
                    done += taken;
                    room -= taken;
                    add(pass, Request.prefill(taken, done));
                    if (room == 0) {
                        millis += price(new ForwardShape.RequestList(List.copyOf(pass)));
                        pass.clear();
                        room = terms.maxBatchedTokens();
                    }
                }
            }
        }
        return pass.isEmpty() ? millis : millis + price(new ForwardShape.RequestList(List.copyOf(pass)));
    }

    /// Whole prompts of equal length are one group; a part of a prompt is one by itself.
    private static void add(List<Group> pass, Request request) {
        boolean whole = request.queryLength() == request.sequenceLength();
        Group last = pass.isEmpty() ? null : pass.getLast();
        if (whole && last != null && last.request().equals(request)) {
            pass.set(pass.size() - 1, new Group(last.count() + 1, request));
        } else {
            pass.add(new Group(1, request));
        }
    }

    /// Requests in the order in which they wait for a chunk, and those that decode in the order of their turns; all
    /// steps one after another, each as long as the longer of its two passes.
    private double walk() {
        int length = newTokens();
        Deque<long[]> pending = new ArrayDeque<>(List.of(new long[] {concurrency, 0}));
        Deque<long[]> ready = new ArrayDeque<>();
        long tokens = terms.workload().outputTokens() - 1L;
        double millis = 0;
        while (!pending.isEmpty() || !ready.isEmpty()) {
            long decode = Math.min(sum(ready), budget());
            long prefill = 0;
            int chunk = pending.isEmpty() ? 0 : (int) pending.getFirst()[1];
            int query = Math.min(terms.maxBatchedTokens(), length - chunk * terms.maxBatchedTokens());
            if (!pending.isEmpty()) {
                long alike = 0;
                for (long[] group : pending) {
                    if (group[1] != chunk) {
                        break;
                    }
                    alike += group[0];
                }
                long limit = (long) Math.floor(budget() * SLACK);
                prefill = Math.max(0, Math.min(alike, (limit - decode) / query));
            }
            double prefillMillis = 0;
            double decodeMillis = 0;
            Deque<long[]> started = new ArrayDeque<>();
            if (prefill > 0) {
                int context = chunk * terms.maxBatchedTokens() + query;
                prefillMillis = prefill(prefill, query, context);
                boolean last = context == length;
                for (long[] group : taken(pending, prefill)) {
                    (last ? started : pending).addLast(new long[] {group[0], last ? tokens : chunk + 1});
                }
            }
            if (decode > 0) {
                decodeMillis = price(new ForwardShape.Uniform(decode, decodeRequest())) / tokensPerStep;
                for (long[] group : taken(ready, decode)) {
                    started.addLast(new long[] {group[0], group[1] - 1});
                }
            }
            millis += Math.max(prefillMillis, decodeMillis);
            started.removeIf(group -> group[1] == 0);
            ready.addAll(started);
        }
        return millis;
    }

    private static long sum(Deque<long[]> groups) {
        return groups.stream().mapToLong(group -> group[0]).sum();
    }

    private static List<long[]> taken(Deque<long[]> groups, long count) {
        List<long[]> taken = new ArrayList<>();
        for (long left = count; left > 0; ) {
            long[] first = groups.getFirst();
            long some = Math.min(left, first[0]);
            taken.add(new long[] {some, first[1]});
            first[0] -= some;
            left -= some;
            if (first[0] == 0) {
                groups.removeFirst();
            }
        }
        return taken;
    }

    /// @param alike whether all requests have the mean context
    private double decodeStep(boolean alike) {
        if (alike) {
            return price(new ForwardShape.Uniform(concurrency, decodeRequest()));
        }
        List<Group> groups = DecodeMix.of(terms.workload(), decodeQuery).allocate(concurrency / ranks).stream()
                .map(part -> new Group(
                        part.samples(),
                        Request.decode(
                                decodeQuery, requireNonNull(part.decoding()).contextTokens())))
                .toList();
        return price(new ForwardShape.RequestList(groups, false));
    }

    private Request decodeRequest() {
        return Request.decode(decodeQuery, terms.workload().decodeSequenceLength(decodeQuery));
    }

    private List<LengthSamples> prompts() {
        Lengths.Mixed mixed = (Lengths.Mixed) terms.workload().lengths();
        return terms.prompts(
                RequestMix.of(mixed.distribution(), terms.workload().prefixCacheHitRate()), concurrency / ranks);
    }

    private double prefill(long requests, int tokens, int context) {
        return price(new ForwardShape.Uniform(requests, Request.prefill(tokens, context)));
    }

    private double price(ForwardShape shape) {
        return known.computeIfAbsent(shape, unknown -> passes.estimate(unknown).latencyMillis());
    }

    private int newTokens() {
        return terms.workload().effectiveInputLength();
    }

    /// Tokens that all ranks compute in one pass.
    private long budget() {
        return isReference() ? terms.maxBatchedTokens() : (long) terms.maxBatchedTokens() * ranks;
    }

    private boolean isReference() {
        return terms.accounting().isReference();
    }
}
