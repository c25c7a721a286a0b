package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest.AccountingName;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.core.search.Objection;
import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.ProblemOutline;
import io.throughputoptimizer.core.search.ProblemOutline.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which members of a question go together with cost model analytic: its own rules, and that nothing is asked which
/// only the calibrated one knows.
final class AnalyticRules {
    private final OptimizationRequest request;
    private final List<Violation> violations = new ArrayList<>();

    private AnalyticRules(OptimizationRequest request) {
        this.request = request;
    }

    static List<Violation> broken(OptimizationRequest request) {
        AnalyticRules rules = new AnalyticRules(request);
        rules.violations.addAll(CatalogLookup.missingModel(request.modelId(), request.modelConfig()));
        rules.checkCostModel();
        rules.checkOutline();
        return rules.violations;
    }

    private void checkCostModel() {
        if (request.accounting() == AccountingName.STEADY) {
            report("/accounting", "is steady: cost model analytic takes documented and corrected");
        }
        needsCalibrated("/engine", request.engine());
        needsCalibrated("/traffic", request.traffic());
        needsCalibrated("/band_coverage", request.bandCoverage());
        needsCalibrated("/quantization/scheme", request.quantization().scheme());
        needsCalibrated("/slo/ttft_basis", request.slo().ttftBasis());
        needsCalibrated("/slo/percentile", request.slo().percentile());
        needsCalibrated("/percentiles", request.percentiles());
        needsCalibrated("/search/dp_sizes", request.search().dpSizes());
    }

    private void checkOutline() {
        if (request.accounting() == AccountingName.STEADY) {
            return;
        }
        new ProblemOutline(request.mode().mode(), request.accounting().accounting())
                        .with(Part.TTFT_LIMIT, request.slo().ttftMs())
                        .with(Part.TPOT_LIMIT, request.slo().tpotMs())
                        .with(Part.LENGTH_DISTRIBUTION, request.workload().lengthDistribution())
                        .with(Part.OUTPUT_DISTRIBUTION, request.workload().outputDistribution())
                        .with(Part.IMAGES, request.workload().image())
                        .with(Part.INSTANCES, request.mode() == Mode.CAPACITY ? null : request.pdRatio())
                        .with(Part.USER_RATE, userRate())
                        .objections()
                        .stream()
                        .filter(objection -> !saidOtherwise(objection))
                        .map(Pointers::inOptimization)
                        .forEach(violations::add);
    }

    /// Rules of mode `capacity` word it in their way.
    private boolean saidOtherwise(Objection objection) {
        return request.mode() == Mode.CAPACITY && objection.subject() == Subject.MODE;
    }

    private @Nullable ObjectiveRequest userRate() {
        ObjectiveRequest objective = request.objective();
        return objective != null && objective.isOfUsers() ? objective : null;
    }

    private void needsCalibrated(String pointer, @Nullable Object value) {
        if (value != null) {
            report(pointer, "is given: only cost model calibrated takes it, and cost_model is analytic");
        }
    }

    private void report(String pointer, String message) {
        violations.add(new Violation(pointer, message));
    }
}
