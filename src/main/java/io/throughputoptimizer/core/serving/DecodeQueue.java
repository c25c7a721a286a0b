package io.throughputoptimizer.core.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Requests that decode, in the order in which they take turns: each step serves those at the front and sends them
/// to the back.
///
/// The queue is a treap of [DecodeGroup]s: a search tree by place in the queue and a heap by random priority, in
/// which a whole branch can be owed some turns. So one step, or any number of steps in which no request finishes, takes
/// time logarithmic in the groups. A step that serves everybody leaves the order as it is. Priorities come from a fixed
/// seed; they decide speed, never results.
final class DecodeQueue {
    /// Memory of a group, with room for what the heap adds.
    private static final long GROUP_BYTES = 80;

    private final SplittableRandom priorities = new SplittableRandom(0);
    private @Nullable DecodeGroup root;

    /// Requests that got their last token.
    record Completion(long requests, double firstTokenMillis) {}

    /// Requests in the queue.
    long requests() {
        return DecodeGroup.requests(root);
    }

    /// Memory that the queue takes.
    long bytes() {
        return DecodeGroup.groups(root) * GROUP_BYTES;
    }

    /// Number of the step that serves some request for the last time, from 1.
    ///
    /// The request at place `x` of `R` takes its `k`-th turn as the `((k - 1) R + x)`-th turn of all, so the first
    /// to finish is the frontmost of those with the fewest tokens left.
    ///
    /// @param served requests that each step serves
    long stepsUntilCompletion(long served) {
        DecodeGroup all = nonEmpty();
        if (served == requests()) {
            return DecodeGroup.fewestTokens(all);
        }
        long turnsBefore = (DecodeGroup.fewestTokens(all) - 1L) * requests() + DecodeGroup.placeOfFewestTokens(all);
        return turnsBefore / served + 1;
    }

    /// Runs `steps` steps before anybody finishes.
    void skip(long served, long steps) {
        DecodeGroup all = nonEmpty();
        long turns = served * steps;
        DecodeGroup.serve(all, turns / requests());
        if (turns % requests() == 0) {
            return;
        }
        DecodeGroup.Halves halves = DecodeGroup.split(all, turns % requests(), priorities);
        DecodeGroup.serve(halves.front(), 1);
        @Nullable DecodeGroup turned = halves.front();
        root = DecodeGroup.join(halves.back(), turned);
    }

    /// Runs one step, and puts requests that got their first token meanwhile before the served ones at the back.
    ///
    /// @param newcomers number of new requests; can be 0
    /// @param tokens tokens that each new request decodes
    /// @return requests that finished, in the order of the queue
    List<Completion> step(long served, long newcomers, int tokens, double firstTokenMillis) {
        DecodeGroup.Halves halves =
                served == requests() ? new DecodeGroup.Halves(root, null) : DecodeGroup.split(root, served, priorities);
        DecodeGroup.serve(halves.front(), 1);
        List<Completion> completions = new ArrayList<>();
        @Nullable DecodeGroup turned = DecodeGroup.withoutCompleted(halves.front(), completions);
        @Nullable DecodeGroup waiting = halves.back();
        if (newcomers > 0) {
            DecodeGroup group = new DecodeGroup(newcomers, tokens, firstTokenMillis, priorities.nextInt());
            waiting = DecodeGroup.join(waiting, group);
        }
        root = DecodeGroup.join(waiting, turned);
        return completions;
    }

    private DecodeGroup nonEmpty() {
        if (root == null) {
            throw new IllegalStateException("nobody decodes");
        }
        return root;
    }
}
