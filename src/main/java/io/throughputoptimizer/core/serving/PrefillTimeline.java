package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Passes that a prefill phase runs one after another, and what they add up to. It ends early where the accounting
/// gives up.
final class PrefillTimeline {
    private final Accounting accounting;
    private final ShareSum byPass = new ShareSum();
    private final ShareSum byTime = new ShareSum();
    private double millis;
    /// Times when requests were done, added up, and how many requests these are.
    private double completionMillis;

    private long completed;
    private @Nullable MemoryFootprint leastFree;
    private boolean ended;

    /// @param startMillis time that passes before the first pass
    PrefillTimeline(Accounting accounting, double startMillis) {
        this.accounting = accounting;
        this.millis = startMillis;
    }

    /// Adds `count` equal passes, only one of them if the accounting gives up after it.
    ///
    /// @param requestsEach requests that get their first token with each of them
    void add(ForwardEstimate pass, long count, long requestsEach) {
        ended = !accounting.isReference() && pass.memory().availableBytes() < 0;
        long run = ended ? 1 : count;
        if (requestsEach > 0 && !accounting.isReference()) {
            complete(pass.latencyMillis(), run, requestsEach);
        }
        millis = RepeatedSum.add(millis, pass.latencyMillis(), run);
        if (leastFree == null || pass.memory().availableBytes() < leastFree.availableBytes()) {
            leastFree = pass.memory();
        }
        if (pass.breakdown().totalSeconds() > 0) {
            byPass.add(pass.breakdown().shares(), run);
            byTime.add(pass.breakdown().shares(), run * pass.latencyMillis());
        }
    }

    private void complete(double passMillis, long count, long requestsEach) {
        double time = millis;
        for (long pass = 0; pass < count; pass++) {
            time += passMillis;
            completionMillis += requestsEach * time;
        }
        completed += count * requestsEach;
    }

    /// Returns whether the accounting gave up, so that no further pass counts.
    boolean ended() {
        return ended;
    }

    /// Returns the time when the last pass is done, in ms.
    double endMillis() {
        return millis;
    }

    /// Mean over the requests of the time when their last pass is done, added up pass by pass; the end of the phase
    /// when it ended early, no pass was said to complete any, or the accounting does not ask.
    double meanCompletionMillis() {
        return ended || completed == 0 ? millis : completionMillis / completed;
    }

    /// Mean of the passes' own shares; passes without any time have none.
    BoundShares meanShares() {
        return byPass.mean();
    }

    /// Returns the mean of the passes' shares, weighted by their time.
    BoundShares sharesOfTime() {
        return byTime.mean();
    }

    /// Memory of the pass that leaves least.
    MemoryFootprint memory() {
        return Objects.requireNonNull(leastFree, "no pass was added");
    }

    /// Shares added up, each with a weight.
    private static final class ShareSum {
        private BoundShares sum = BoundShares.ZERO;
        private double weights;

        void add(BoundShares shares, double weight) {
            sum = new BoundShares(
                    sum.memory() + shares.memory() * weight,
                    sum.communication() + shares.communication() * weight,
                    sum.matrix() + shares.matrix() * weight,
                    sum.general() + shares.general() * weight);
            weights += weight;
        }

        BoundShares mean() {
            return weights == 0
                    ? BoundShares.ZERO
                    : new BoundShares(
                            sum.memory() / weights,
                            sum.communication() / weights,
                            sum.matrix() / weights,
                            sum.general() / weights);
        }
    }
}
