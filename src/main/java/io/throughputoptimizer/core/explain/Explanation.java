package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why a problem has the answers it has, and what would help.
///
/// @param answers one per question, device by device
/// @param searches how many were made for it
/// @param points batch sizes these evaluated
public record Explanation(List<Answer> answers, long searches, long points) {

    /// What is to say of one question.
    ///
    /// @param device kind of device
    /// @param plan the best; absent when nothing keeps the limits
    /// @param bindings what binds each candidate of its phases
    /// @param frontiers what can be had at all in each of its phases
    /// @param sensitivities what other plans there would be; empty without a plan
    /// @param relaxations what would give a plan where there is none
    public record Answer(
            String device,
            Aim aim,
            @Nullable Plan plan,
            List<Binding> bindings,
            List<PhaseFrontier> frontiers,
            List<Sensitivity> sensitivities,
            List<Relaxation> relaxations) {
        public Answer {
            bindings = List.copyOf(bindings);
            frontiers = List.copyOf(frontiers);
            sensitivities = List.copyOf(sensitivities);
            relaxations = List.copyOf(relaxations);
        }
    }

    /// The points of a phase that no other one beats, by falling tokens per second.
    ///
    /// @param goal what plans are ranked by; absent where nobody asked for one
    public record PhaseFrontier(Phase phase, @Nullable Goal goal, List<SearchPoint> points) {
        public PhaseFrontier {
            points = List.copyOf(points);
        }
    }

    public Explanation {
        answers = List.copyOf(answers);
    }
}
