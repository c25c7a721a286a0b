package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Passes that a prefill phase runs one after another, and what they add up to. It ends early where the accounting
/// gives up.
final class PrefillTimeline {
    private final Accounting accounting;
    private final List<Completions> completions = new ArrayList<>();
    private double millis;
    private long passes;
    private BoundShares sharesSum = BoundShares.ZERO;
    private @Nullable MemoryFootprint leastFree;
    private boolean ended;

    /// Equal passes of which each completes some requests.
    private record Completions(double startMillis, double passMillis, long count, long requestsEach) {}

    /// @param startMillis time that passes before the first pass
    PrefillTimeline(Accounting accounting, double startMillis) {
        this.accounting = accounting;
        this.millis = startMillis;
    }

    /// Adds `count` equal passes, only one of them if the accounting gives up after it.
    ///
    /// @param requestsEach requests that get their first token with each of them
    void add(ForwardEstimate pass, long count, long requestsEach) {
        ended = accounting.givesUpAfter(pass);
        long run = ended ? 1 : count;
        if (requestsEach > 0) {
            completions.add(new Completions(millis, pass.latencyMillis(), run, requestsEach));
        }
        millis = RepeatedSum.add(millis, pass.latencyMillis(), run);
        if (leastFree == null || pass.memory().availableBytes() < leastFree.availableBytes()) {
            leastFree = pass.memory();
        }
        if (pass.breakdown().totalSeconds() > 0) {
            passes += run;
            addShares(pass.breakdown().shares(), run);
        }
    }

    /// Whether the accounting gave up, so that no further pass counts.
    boolean ended() {
        return ended;
    }

    /// When the last pass is done.
    double endMillis() {
        return millis;
    }

    /// Mean over the requests of the time when their last pass is done, added up pass by pass; the end of the phase
    /// when it ended early.
    double meanCompletionMillis() {
        if (ended) {
            return millis;
        }
        double sum = 0;
        long requests = 0;
        for (Completions run : completions) {
            double time = run.startMillis;
            for (long pass = 0; pass < run.count; pass++) {
                time += run.passMillis;
                sum += run.requestsEach * time;
            }
            requests += run.count * run.requestsEach;
        }
        return sum / requests;
    }

    /// Mean of the passes' own shares; passes without any time have none.
    BoundShares meanShares() {
        return passes == 0
                ? BoundShares.ZERO
                : new BoundShares(
                        sharesSum.memory() / passes,
                        sharesSum.communication() / passes,
                        sharesSum.matrix() / passes,
                        sharesSum.general() / passes);
    }

    /// Memory of the pass that leaves least.
    MemoryFootprint memory() {
        return Objects.requireNonNull(leastFree, "no pass was added");
    }

    private void addShares(BoundShares shares, long count) {
        sharesSum = new BoundShares(
                sharesSum.memory() + shares.memory() * count,
                sharesSum.communication() + shares.communication() * count,
                sharesSum.matrix() + shares.matrix() * count,
                sharesSum.general() + shares.general() * count);
    }
}
