package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.MeasuredPair.Ends;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.PricedInstance;
import java.util.ArrayList;
import java.util.List;

/// All pairs of layouts of prefill instances of one size and decode instances of one size, created lazily in
/// order. Not thread-safe.
final class SizePair {
    private final MeasuredProblem problem;
    private final List<PricedInstance> prefill;
    private final List<PricedInstance> decode;
    private final Ration ration;
    private final List<MeasuredPair> begun = new ArrayList<>();

    /// @param problem problem of this kind of device only
    SizePair(MeasuredProblem problem, List<PricedInstance> prefill, List<PricedInstance> decode, Ration ration) {
        this.problem = problem;
        this.prefill = prefill;
        this.decode = decode;
        this.ration = ration;
    }

    /// Returns the number of pairs of layouts.
    int count() {
        return prefill.size() * decode.size();
    }

    /// @param index index of an existing pair, or of the next one
    MeasuredPair pair(int index) {
        if (index == begun.size()) {
            begun.add(new MeasuredPair(
                    problem, prefill.get(index / decode.size()), decode.get(index % decode.size()), ration));
        }
        return begun.get(index);
    }

    /// Computes figures ahead that a search for the fewest devices will request.
    ///
    /// @param most maximum number of devices
    void lookAhead(Requirement requirement, long most) {
        List<MeasuredPair> pairs = new ArrayList<>();
        for (int index = 0; index < count() && ration.lastsAhead(); index++) {
            MeasuredPair pair = pair(index);
            if (pair.mostAhead(pair.fed(1), requirement, Ends.NONE).isPresent()) {
                pairs.add(pair);
            }
        }
        long bound = most;
        for (MeasuredPair pair : pairs) {
            if (ration.lastsAhead()) {
                bound = new FewestPairs(pair, requirement, Ends.NONE, bound, true)
                        .devices()
                        .orElse(bound);
            }
        }
    }
}
