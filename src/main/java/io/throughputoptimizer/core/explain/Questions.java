package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import java.util.ArrayList;
import java.util.List;

/// Splits problems into searches with one best plan each.
final class Questions {
    private Questions() {}

    /// Returns the searches of a problem about one of its results.
    ///
    /// @param others known kinds of device
    static List<RooflineQuestion> of(OptimizationProblem problem, DeviceResult found, List<DeviceProfile> others) {
        DeviceProfile decode = found.decodeDevice();
        return byAim(
                new OptimizationProblem(
                        problem.model(),
                        decode == null ? List.of(found.device()) : List.of(found.device(), decode),
                        problem.available(),
                        problem.demand(),
                        problem.serving(),
                        about(found, problem.search()),
                        false),
                others);
    }

    /// Returns the search with the kinds of device of one result, if the problem names several.
    private static Search about(DeviceResult found, Search search) {
        Pairing now = search.instances();
        if (now == null
                || (now.prefill().kinds().isEmpty() && now.decode().kinds().isEmpty())) {
            return search;
        }
        DeviceProfile decode = found.decodeDevice();
        return search.with(now.on(found.device().name(), (decode == null ? found.device() : decode).name()));
    }

    private static List<RooflineQuestion> byAim(OptimizationProblem problem, List<DeviceProfile> others) {
        Limits limits = problem.demand().limits();
        return switch (problem.search().mode()) {
            case AGGREGATION -> List.of(new RooflineQuestion(problem, QuestionKind.AGGREGATION, others));
            case PD_RATIO -> List.of(new RooflineQuestion(problem, QuestionKind.PD_RATIO, others));
            case DISAGGREGATION -> {
                List<RooflineQuestion> questions = new ArrayList<>();
                if (limits.ttftMillis() != null) {
                    new RooflineQuestion(problem, QuestionKind.PREFILL, others)
                            .with(limits.ttftOnly())
                            .ifPresent(questions::add);
                }
                if (limits.tpotMillis() != null) {
                    new RooflineQuestion(problem, QuestionKind.DECODE, others)
                            .with(limits.tpotOnly())
                            .ifPresent(questions::add);
                }
                yield questions;
            }
        };
    }
}
