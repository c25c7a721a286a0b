package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.explain.Binding.Limit;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.explain.Change.Lever;
import io.throughputoptimizer.core.fleet.FleetPoint;
import io.throughputoptimizer.core.fleet.FleetRow;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Why a question about replicas on measured devices has the answers it has, and what would help.
///
/// @param answers device by device
/// @param searches how many were made for it
/// @param points concurrencies at which the law was asked
public record FleetExplanation(List<Answer> answers, long searches, long points) {

    /// What is to say of one device.
    ///
    /// @param plan the best; absent when nothing keeps the limits
    /// @param bindings what binds each layout
    /// @param frontier what can be had at all, by falling tokens per second
    /// @param sensitivities what other plans there would be; empty without a plan
    /// @param relaxations what would give a plan where there is none
    /// @param notAsked levers that mean nothing there, and why
    public record Answer(
            String device,
            @Nullable Plan plan,
            List<LayoutBinding> bindings,
            List<FrontierPoint> frontier,
            List<Sensitivity> sensitivities,
            List<Relaxation> relaxations,
            Map<Lever, String> notAsked) {
        public Answer {
            bindings = List.copyOf(bindings);
            frontier = List.copyOf(frontier);
            sensitivities = List.copyOf(sensitivities);
            relaxations = List.copyOf(relaxations);
        }
    }

    /// What keeps a layout from serving more; where the goal prefers fewer requests at once from serving fewer; or,
    /// where it has no plan, from serving at all.
    ///
    /// @param rankConcurrency of its row, or the least; absent when none was tried
    /// @param kept whether it has a row
    /// @param words what binds, as far as no breach says it
    /// @param breach of a limit
    /// @param least that it reaches whatever the limits; absent when none was tried
    /// @param at what it is and takes there; absent when it has no figures
    public record LayoutBinding(
            ParallelLayout layout,
            @Nullable Integer rankConcurrency,
            boolean kept,
            Limit limit,
            String words,
            @Nullable Breach breach,
            @Nullable Margins margins,
            @Nullable Least least,
            @Nullable FleetRow at) {}

    /// A point that no other one beats.
    public record FrontierPoint(FleetPoint at, boolean withinLimits) {}

    public FleetExplanation {
        answers = List.copyOf(answers);
    }
}
