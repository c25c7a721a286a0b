package io.throughputoptimizer.core.serving;

import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Neighbouring requests of a [DecodeQueue] that are alike, and the branch of its tree below them: groups before it
/// in the queue on one side, groups after it on the other. Trees are changed in place; null is the empty one.
final class DecodeGroup {
    private long count;
    private int tokens;
    private final double firstTokenMillis;
    private final int priority;

    private @Nullable DecodeGroup before;
    private @Nullable DecodeGroup after;
    /// Requests and groups of the branch, the fewest tokens that a request has left, and turns that its two sides have
    /// not been told of yet.
    private long branchCount;

    private int branchGroups;
    private int fewestTokens;
    private int owed;

    /// A tree of one group.
    ///
    /// @param tokens tokens that each request has left
    DecodeGroup(long count, int tokens, double firstTokenMillis, int priority) {
        this.count = count;
        this.tokens = tokens;
        this.firstTokenMillis = firstTokenMillis;
        this.priority = priority;
        this.branchCount = count;
        this.branchGroups = 1;
        this.fewestTokens = tokens;
    }

    /// A tree in two, either part perhaps empty.
    record Halves(@Nullable DecodeGroup front, @Nullable DecodeGroup back) {}

    static long requests(@Nullable DecodeGroup tree) {
        return tree == null ? 0 : tree.branchCount;
    }

    static int groups(@Nullable DecodeGroup tree) {
        return tree == null ? 0 : tree.branchGroups;
    }

    static int fewestTokens(@Nullable DecodeGroup tree) {
        return tree == null ? Integer.MAX_VALUE : tree.fewestTokens;
    }

    /// Serves all requests that many times.
    static void serve(@Nullable DecodeGroup tree, long turns) {
        if (tree != null) {
            tree.tokens -= (int) turns;
            tree.fewestTokens -= (int) turns;
            tree.owed += (int) turns;
        }
    }

    /// Place of the frontmost request with the fewest tokens left, from 0.
    static long placeOfFewestTokens(DecodeGroup tree) {
        DecodeGroup group = tree.settled();
        long inBefore = requests(group.before);
        if (group.before != null && group.before.fewestTokens == group.fewestTokens) {
            return placeOfFewestTokens(group.before);
        }
        return group.tokens == group.fewestTokens || group.after == null
                ? inBefore
                : inBefore + group.count + placeOfFewestTokens(group.after);
    }

    /// The first `size` requests and the others; the group between is cut in two.
    static Halves split(@Nullable DecodeGroup tree, long size, RandomGenerator priorities) {
        if (tree == null) {
            return new Halves(null, null);
        }
        DecodeGroup group = tree.settled();
        long inBefore = requests(group.before);
        if (size <= inBefore) {
            Halves halves = split(group.before, size, priorities);
            return new Halves(halves.front, group.with(halves.back, group.after));
        }
        if (size >= inBefore + group.count) {
            Halves halves = split(group.after, size - inBefore - group.count, priorities);
            return new Halves(group.with(group.before, halves.front), halves.back);
        }
        long cut = size - inBefore;
        DecodeGroup rest =
                new DecodeGroup(group.count - cut, group.tokens, group.firstTokenMillis, priorities.nextInt());
        group.count = cut;
        @Nullable DecodeGroup behind = group.after;
        return new Halves(group.with(group.before, null), join(rest, behind));
    }

    /// Both trees as one, the second behind the first.
    static @Nullable DecodeGroup join(@Nullable DecodeGroup one, @Nullable DecodeGroup next) {
        if (one == null) {
            return next;
        }
        if (next == null) {
            return one;
        }
        if (one.priority < next.priority) {
            DecodeGroup top = one.settled();
            return top.with(top.before, join(top.after, next));
        }
        DecodeGroup top = next.settled();
        return top.with(join(one, top.before), top.after);
    }

    /// The tree without requests that have no tokens left.
    ///
    /// @param completions receives the completed requests, in the order of the queue
    static @Nullable DecodeGroup withoutCompleted(
            @Nullable DecodeGroup tree, List<DecodeQueue.Completion> completions) {
        if (tree == null || tree.fewestTokens > 0) {
            return tree;
        }
        DecodeGroup group = tree.settled();
        @Nullable DecodeGroup front = withoutCompleted(group.before, completions);
        if (group.tokens == 0) {
            completions.add(new DecodeQueue.Completion(group.count, group.firstTokenMillis));
            return join(front, withoutCompleted(group.after, completions));
        }
        return group.with(front, withoutCompleted(group.after, completions));
    }

    /// Passes owed turns on to both sides and returns this group.
    private DecodeGroup settled() {
        if (owed > 0) {
            serve(before, owed);
            serve(after, owed);
            owed = 0;
        }
        return this;
    }

    /// Replaces both sides of this group, which must be settled, and returns it.
    private DecodeGroup with(@Nullable DecodeGroup newBefore, @Nullable DecodeGroup newAfter) {
        before = newBefore;
        after = newAfter;
        branchCount = count + requests(before) + requests(after);
        branchGroups = 1 + groups(before) + groups(after);
        fewestTokens = Math.min(tokens, Math.min(fewestTokens(before), fewestTokens(after)));
        return this;
    }
}
