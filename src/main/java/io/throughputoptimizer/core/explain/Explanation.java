package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.measured.TriedPoint;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why a problem has the answers it has, and what would help.
///
/// @param answers one per question, device by device
/// @param searches how many were made for it
/// @param points loads these evaluated
/// @param simulations that were run
/// @param simulatedSteps steps that instances were simulated in, a row of equal ones counted once; where prompts are
/// cut
public record Explanation(List<Answer> answers, long searches, long points, long simulations, long simulatedSteps) {

    /// What is to say of one question.
    ///
    /// @param device kind of device, or the two kinds of pairs
    /// @param plan the best; absent when nothing keeps the limits
    /// @param bindings what binds each candidate
    /// @param frontiers what can be had at all, in each phase that is searched apart
    /// @param sensitivities what other plans there would be; empty without a plan
    /// @param relaxations what would give a plan where there is none
    /// @param notAsked levers that mean nothing there, and those of which not every change was searched
    public record Answer(
            String device,
            Aim aim,
            @Nullable Plan plan,
            List<Binding> bindings,
            List<Unbeaten> frontiers,
            List<Sensitivity> sensitivities,
            List<Relaxation> relaxations,
            List<NotAsked> notAsked) {
        public Answer {
            bindings = List.copyOf(bindings);
            frontiers = List.copyOf(frontiers);
            sensitivities = List.copyOf(sensitivities);
            relaxations = List.copyOf(relaxations);
            notAsked = List.copyOf(notAsked);
        }
    }

    /// What no other one beats, by falling tokens per second.
    public sealed interface Unbeaten {}

    /// Points of a phase.
    ///
    /// @param objective what plans are ranked by; absent where nobody asked for one
    /// @param untriedAbove batch size beyond which not every candidate was tried, since that would simulate too
    ///     many steps; absent where all were tried to their end
    public record PhaseFrontier(
            Phase phase,
            @Nullable Objective objective,
            List<SearchPoint> points,
            @Nullable Long untriedAbove) implements Unbeaten {
        public PhaseFrontier {
            points = List.copyOf(points);
        }
    }

    /// Pairs in numbers of instances.
    ///
    /// @param objective what plans are ranked by; absent where nobody asked for one
    /// @param outputTokens generated per request, in the mean
    public record PairsFrontier(@Nullable PairObjective objective, double outputTokens, List<PointOfPair> points)
            implements Unbeaten {
        public PairsFrontier {
            points = List.copyOf(points);
        }
    }

    /// @param row with what its instances deliver together
    /// @param withinLimits whether it keeps every limit
    public record PointOfPair(PdRatioRow row, boolean withinLimits) {}

    /// Concurrencies of measured instances.
    ///
    /// @param byLimit whether they are what each limit costs beside the other
    /// @param objective what plans are ranked by; absent where nobody asked for one
    /// @param device kind of device, or the two kinds of pairs
    public record LoadsFrontier(
            Aim aim, boolean byLimit, @Nullable Objective objective, String device, List<TriedPoint> points)
            implements Unbeaten {
        public LoadsFrontier {
            points = List.copyOf(points);
        }
    }

    public Explanation {
        answers = List.copyOf(answers);
    }
}
