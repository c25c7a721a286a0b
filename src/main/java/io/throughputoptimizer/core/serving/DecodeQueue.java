package io.throughputoptimizer.core.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Requests that decode, in the order in which they take turns: each step serves those at the front and sends them
/// to the back.
///
/// The queue is a treap over groups of requests that got their first token in the same step: a search tree by place
/// in the queue and a heap by random priority, in which a whole branch can owe its groups some turns. A step, or any
/// number of steps at once, takes time logarithmic in the groups. Priorities come from a fixed seed; they decide
/// speed, never results.
final class DecodeQueue {
    private final SplittableRandom priorities = new SplittableRandom(0);
    private @Nullable Group root;

    /// Requests that got their last token.
    record Completion(long requests, double firstTokenMillis) {}

    /// Requests in the queue.
    long requests() {
        return Group.requests(root);
    }

    /// Number of the step that serves some request for the last time, from 1.
    ///
    /// The request at place `x` of `R` takes its `k`-th turn as the `((k - 1) R + x)`-th turn of all, so the first
    /// to finish is the frontmost of those with the fewest tokens left.
    ///
    /// @param served requests that each step serves
    long stepsUntilCompletion(long served) {
        Group all = Group.settled(root);
        long turnsBefore = (all.fewestTokens - 1L) * all.total + all.placeOfFewest();
        return turnsBefore / served + 1;
    }

    /// Runs `steps` steps before anybody finishes.
    void skip(long served, long steps) {
        Group all = Group.settled(root);
        long turns = served * steps;
        long more = turns % all.total;
        all.owe(turns / all.total);
        Halves halves = split(all, more);
        if (halves.front != null) {
            halves.front.owe(1);
        }
        root = merge(halves.back, halves.front);
    }

    /// Runs one step, and puts requests that got their first token meanwhile before the served ones at the back.
    ///
    /// @param newcomers how many there are, possibly none
    /// @param tokens what each of them is to decode
    /// @return requests that finished, in the order of the queue
    List<Completion> step(long served, long newcomers, int tokens, double firstTokenMillis) {
        Halves halves = split(root, served);
        List<Completion> completions = new ArrayList<>();
        @Nullable Group turned = halves.front;
        if (turned != null) {
            turned.owe(1);
            turned = withoutCompleted(turned, completions);
        }
        @Nullable Group waiting = halves.back;
        if (newcomers > 0) {
            waiting = merge(waiting, new Group(newcomers, tokens, firstTokenMillis, priorities.nextInt()));
        }
        root = merge(waiting, turned);
        return completions;
    }

    private record Halves(@Nullable Group front, @Nullable Group back) {}

    private Halves split(@Nullable Group tree, long count) {
        if (tree == null) {
            return new Halves(null, null);
        }
        Group group = Group.settled(tree);
        long before = Group.requests(group.before);
        if (count <= before) {
            Halves halves = split(group.before, count);
            return new Halves(halves.front, group.with(halves.back, group.after));
        }
        if (count >= before + group.count) {
            Halves halves = split(group.after, count - before - group.count);
            return new Halves(group.with(group.before, halves.front), halves.back);
        }
        Group rest = group.cutAfter(count - before, priorities.nextInt());
        @Nullable Group after = group.after;
        return new Halves(group.with(group.before, null), merge(rest, after));
    }

    private static @Nullable Group merge(@Nullable Group one, @Nullable Group next) {
        if (one == null) {
            return next;
        }
        if (next == null) {
            return one;
        }
        if (one.priority < next.priority) {
            Group top = Group.settled(one);
            return top.with(top.before, merge(top.after, next));
        }
        Group top = Group.settled(next);
        return top.with(merge(one, top.before), top.after);
    }

    private static @Nullable Group withoutCompleted(@Nullable Group tree, List<Completion> completions) {
        if (tree == null || tree.fewestTokens > 0) {
            return tree;
        }
        Group group = Group.settled(tree);
        @Nullable Group before = withoutCompleted(group.before, completions);
        if (group.tokens == 0) {
            completions.add(new Completion(group.count, group.firstTokenMillis));
            return merge(before, withoutCompleted(group.after, completions));
        }
        return group.with(before, withoutCompleted(group.after, completions));
    }

    /// Neighbouring requests alike, and the branch of the tree below them.
    private static final class Group {
        private long count;
        private int tokens;
        private final double firstTokenMillis;
        private final int priority;
        private @Nullable Group before;
        private @Nullable Group after;
        private long total;
        private int fewestTokens;
        private int owed;

        Group(long count, int tokens, double firstTokenMillis, int priority) {
            this.count = count;
            this.tokens = tokens;
            this.firstTokenMillis = firstTokenMillis;
            this.priority = priority;
            this.total = count;
            this.fewestTokens = tokens;
        }

        static long requests(@Nullable Group tree) {
            return tree == null ? 0 : tree.total;
        }

        /// The same group, its children told what they are owed.
        static Group settled(@Nullable Group tree) {
            if (tree == null) {
                throw new IllegalStateException("nobody decodes");
            }
            if (tree.owed > 0) {
                if (tree.before != null) {
                    tree.before.owe(tree.owed);
                }
                if (tree.after != null) {
                    tree.after.owe(tree.owed);
                }
                tree.owed = 0;
            }
            return tree;
        }

        /// Serves the whole branch that many times.
        void owe(long turns) {
            tokens -= (int) turns;
            fewestTokens -= (int) turns;
            owed += (int) turns;
        }

        /// The same group with other children; it must be settled.
        Group with(@Nullable Group newBefore, @Nullable Group newAfter) {
            before = newBefore;
            after = newAfter;
            total = count + requests(before) + requests(after);
            fewestTokens = Math.min(tokens, Math.min(fewest(before), fewest(after)));
            return this;
        }

        /// Keeps the first `kept` requests and returns the others as a group of their own.
        Group cutAfter(long kept, int restPriority) {
            Group rest = new Group(count - kept, tokens, firstTokenMillis, restPriority);
            count = kept;
            return rest;
        }

        /// Place of the frontmost request with the fewest tokens left, from 0.
        long placeOfFewest() {
            Group group = settled(this);
            int fewest = group.fewestTokens;
            long place = 0;
            while (fewest(group.before) == fewest || group.tokens != fewest) {
                if (fewest(group.before) == fewest) {
                    group = settled(group.before);
                } else {
                    place += requests(group.before) + group.count;
                    group = settled(group.after);
                }
            }
            return place + requests(group.before);
        }

        private static int fewest(@Nullable Group tree) {
            return tree == null ? Integer.MAX_VALUE : tree.fewestTokens;
        }
    }
}
