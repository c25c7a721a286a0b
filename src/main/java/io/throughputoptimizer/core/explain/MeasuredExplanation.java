package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredPoint;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.steady.Breach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why a question about measured devices has the answers it has, and what would help.
///
/// @param answers device by device
/// @param searches how many were made for it
/// @param points concurrencies at which the law was asked
/// @param simulations that were run
public record MeasuredExplanation(List<Answer> answers, long searches, long points, long simulations) {

    /// What is to say of one device.
    ///
    /// @param aim replicas that do both phases, or pairs of instances
    /// @param plan the best; absent when nothing keeps the limits
    /// @param bindings what binds each arrangement
    /// @param frontier what can be had at all, by falling tokens per second
    /// @param sensitivities what other plans there would be; empty without a plan
    /// @param relaxations what would give a plan where there is none
    public record Answer(
            String device,
            Aim aim,
            @Nullable Plan plan,
            List<MeasuredBinding> bindings,
            List<FrontierPoint> frontier,
            List<Sensitivity> sensitivities,
            List<Relaxation> relaxations,
            List<NotAsked> notAsked) {
        public Answer {
            bindings = List.copyOf(bindings);
            frontier = List.copyOf(frontier);
            sensitivities = List.copyOf(sensitivities);
            relaxations = List.copyOf(relaxations);
            notAsked = List.copyOf(notAsked);
        }
    }

    /// What keeps an arrangement from serving more; where the objective prefers fewer requests at once from serving
    /// fewer;
    /// or, where it has no plan, from serving at all.
    ///
    /// @param concurrency of its row, or the least: at each rank of replicas, over all instances of a pair; absent
    ///     when none was tried
    /// @param kept whether it has a row
    /// @param words what binds, as far as no breach says it
    /// @param breach of a limit
    /// @param least that it reaches whatever the limits; absent when none was tried
    /// @param at what it is and takes there; absent when it has no figures
    public record MeasuredBinding(
            Arrangement arrangement,
            @Nullable Integer concurrency,
            boolean kept,
            BindingLimit limit,
            String words,
            @Nullable Breach breach,
            @Nullable Margins margins,
            @Nullable Least least,
            @Nullable MeasuredRow at) {}

    /// A point that no other one beats.
    public record FrontierPoint(MeasuredPoint at, boolean withinLimits) {}

    public MeasuredExplanation {
        answers = List.copyOf(answers);
    }
}
