package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.workload.ContextRoom;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.PrefillChunks;
import java.util.function.LongToDoubleFunction;

/// Capacity of an instance by the memory of its passes. With `q` tokens of a decode step and budget `T`, requests
/// of `n` tokens fit if these passes leave the memory that must stay free:
///
/// - a step that decodes all of them, each with `n` tokens of context
/// - their prompts of `n - q` tokens, one at a time on each data parallel rank, in pieces of `T`
///
/// Instances that prefill hold a prompt at a time, those that decode hold none. Memory that is left falls in straight
/// lines with tokens and with requests, so that a line through two points finds the last that fits in a few passes.
public final class PassRoom implements ContextRoom {
    private final Phase phase;
    private final int budget;
    private final int query;
    private final long ranks;
    private final PassEstimator passes;

    /// @param budget tokens of one prefill pass of a rank
    /// @throws IllegalArgumentException when the model cannot be laid out as the deployment says
    public PassRoom(Deployment deployment, Phase phase, int budget, ForwardEstimator estimator) {
        this.phase = phase;
        this.budget = budget;
        this.query = deployment.execution().decodeQueryLength();
        this.ranks = (long) deployment.layout().dp() * deployment.layout().pp();
        this.passes = estimator.on(deployment);
    }

    @Override
    public long longest(long requests) {
        return last(query + 1L, LONGEST, tokens -> left(requests, tokens));
    }

    @Override
    public long most(long tokens) {
        if (tokens <= query) {
            return 0;
        }
        return phase == Phase.PREFILL ? Math.min(1, longest(1) / tokens) : last(1, MOST, count -> left(count, tokens));
    }

    /// Bytes that the fullest pass leaves.
    private double left(long requests, long tokens) {
        double prompts = phase == Phase.DECODE ? Double.POSITIVE_INFINITY : leftOfPrompt(tokens - query);
        return phase == Phase.PREFILL
                ? prompts
                : Math.min(prompts, left(requests * ranks, Request.decode(query, tokens)));
    }

    /// The last whole piece has the longest context of its size, the rest of the prompt that of all; the first has none
    /// before it.
    private double leftOfPrompt(long tokens) {
        PrefillChunks pieces = new PrefillChunks(Math.toIntExact(tokens), budget);
        int last = pieces.count() - 1;
        double left = Double.POSITIVE_INFINITY;
        for (int index : new int[] {0, Math.max(0, last - 1), last}) {
            PrefillChunks.Chunk piece = pieces.chunk(index);
            left = Math.min(left, left(ranks, Request.prefill(piece.queryLength(), piece.sequenceLength())));
        }
        return left;
    }

    private double left(long requests, Request request) {
        return passes.estimate(new ForwardShape.Uniform(requests, request))
                .memory()
                .availableBytes();
    }

    /// The last number that leaves 0 or more, 0 where not even the least does. What is left never rises.
    private static long last(long least, long most, LongToDoubleFunction left) {
        double room = left.applyAsDouble(least);
        if (room < 0) {
            return 0;
        }
        long fits = least;
        double needed = left.applyAsDouble(most);
        if (needed >= 0) {
            return most;
        }
        long over = most;
        for (boolean halved = false; over - fits > 1; halved = !halved) {
            long met = (long) (fits + (over - fits) * (room / (room - needed)));
            long next = halved ? fits + (over - fits) / 2 : Math.clamp(met, fits + 1, over - 1);
            double at = left.applyAsDouble(next);
            if (at >= 0) {
                fits = next;
                room = at;
            } else {
                over = next;
                needed = at;
            }
        }
        return fits;
    }
}
