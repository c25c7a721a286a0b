package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Variants.Variant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the best plan becomes under a change, searched again.
///
/// @param change the only thing that is changed
/// @param plan the best then; absent when nothing keeps the limits
/// @param effect `rate / rate of the best plan today - 1`; absent without a plan
public record Sensitivity(
        Change change, @Nullable Plan plan, @Nullable Double effect) {

    /// The largest gain first, and last what leaves nothing.
    private static final Comparator<Sensitivity> MOST_FIRST = Comparator.comparingDouble(
            (Sensitivity one) -> one.effect == null ? Double.POSITIVE_INFINITY : -one.effect);

    static List<Sensitivity> of(Question question, Plan today, Inquiry inquiry) {
        List<Sensitivity> found = new ArrayList<>();
        for (Variant variant : new Variants(question, today).all()) {
            found.add(of(variant.change(), inquiry.best(variant.question()), today));
        }
        DeviceCounts counts = new DeviceCounts(question, inquiry);
        counts.fewer().ifPresent(fewer -> found.add(of(fewer.variant().change(), Optional.of(fewer.plan()), today)));
        counts.more().ifPresent(more -> found.add(of(more.variant().change(), Optional.of(more.plan()), today)));
        return found.stream().sorted(MOST_FIRST).toList();
    }

    private static Sensitivity of(Change change, Optional<Plan> plan, Plan today) {
        return plan.map(then -> new Sensitivity(change, then, then.rate() / today.rate() - 1))
                .orElseGet(() -> new Sensitivity(change, null, null));
    }
}
