package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest.AccountingName;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules between the members of a request that mode `capacity` brings along.
final class CapacityRules {
    private final OptimizationRequest request;
    private final List<Violation> broken = new ArrayList<>();

    private CapacityRules(OptimizationRequest request) {
        this.request = request;
    }

    static List<Violation> broken(OptimizationRequest request) {
        CapacityRules rules = new CapacityRules(request);
        if (request.mode() == Mode.CAPACITY) {
            rules.checkCapacity();
        } else {
            rules.refuseElsewhere();
        }
        return rules.broken;
    }

    private void checkCapacity() {
        if (request.demand() == null) {
            report("/demand", "is missing: mode capacity needs requests_per_s, tokens_per_s or concurrency");
        }
        if (request.pdRatio() != null) {
            report(
                    "/pd_ratio",
                    "is given: in mode capacity instance_sizes says which sizes are tried, and kv_transfer how caches move");
        }
        ObjectiveRequest objective = request.objective();
        Integer least = objective == null ? null : objective.minConcurrency();
        if (least != null && least > 1) {
            report("/objective/min_concurrency", "is " + least + ": in mode capacity demand says how many are served");
        }
        if (request.dumpOriginalResults()) {
            report(
                    "/dump_original_results",
                    "is true: mode capacity shows instances at their load, not what was tried");
        }
        if (request.explained()) {
            report("/explain", "is true: mode capacity is not explained; its answer says what would do");
        }
        if (request.percentiles() != null) {
            report("/percentiles", "is true: instances of mode capacity are not simulated");
        }
        if (request.slo().percentile() != null) {
            report("/slo/percentile", "is given: mode capacity keeps limits on means; no instance is simulated");
        }
        if (request.workload().lengthDistribution() != null && request.accounting() == AccountingName.DOCUMENTED) {
            report("/mode", "is capacity: with documented accounting a length distribution needs mode disaggregation");
        }
    }

    private void refuseElsewhere() {
        refuse("/demand", request.demand());
        refuse("/headroom", request.headroom());
        refuse("/instance_sizes", request.instanceSizes());
        if (request.kvTransfer() != null && request.mode() == Mode.PD_RATIO) {
            report("/kv_transfer", "is given: mode pd_ratio takes it as pd_ratio.kv_transfer");
        } else {
            refuse("/kv_transfer", request.kvTransfer());
        }
    }

    private void refuse(String pointer, @Nullable Object value) {
        if (value != null) {
            report(pointer, "is given: only mode capacity takes it, and mode is " + WireFormat.name(request.mode()));
        }
    }

    private void report(String pointer, String message) {
        broken.add(new Violation(pointer, message));
    }
}
