package io.throughputoptimizer.core.explain;

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
    /// @param sensitivities what other plans there would be; empty without a plan
    /// @param relaxations what would give a plan where there is none
    public record Answer(
            String device,
            Aim aim,
            @Nullable Plan plan,
            List<Binding> bindings,
            List<Sensitivity> sensitivities,
            List<Relaxation> relaxations) {
        public Answer {
            bindings = List.copyOf(bindings);
            sensitivities = List.copyOf(sensitivities);
            relaxations = List.copyOf(relaxations);
        }
    }

    public Explanation {
        answers = List.copyOf(answers);
    }
}
