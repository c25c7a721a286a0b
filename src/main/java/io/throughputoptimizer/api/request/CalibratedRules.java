package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest.AccountingName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules of an [OptimizationRequest] with cost model `calibrated` that need no catalogue.
final class CalibratedRules {
    private final OptimizationRequest request;
    private final List<Violation> broken = new ArrayList<>();

    private CalibratedRules(OptimizationRequest request) {
        this.request = request;
    }

    static List<Violation> broken(OptimizationRequest request) {
        CalibratedRules rules = new CalibratedRules(request);
        rules.checkNeeded();
        rules.checkChoices();
        rules.checkQuantization();
        rules.checkAnalyticOnly();
        rules.broken.addAll(SimulatedRowRules.broken(request));
        rules.checkSizes("tp_sizes", request.search().tpSizes());
        rules.checkSizes("dp_sizes", request.search().dpSizes());
        rules.checkSizes("ep_sizes", request.search().epSizes());
        return rules.broken;
    }

    private void checkNeeded() {
        broken.addAll(CatalogLookup.missingModel(request.modelId(), request.modelConfig()));
        EngineRequest engine = request.engine();
        if (engine == null) {
            report("/engine", "is missing: cost model calibrated needs it, with a backend");
        } else if (engine.backend() != null) {
            broken.addAll(engine.backend().missing("/engine/backend", request.devices()));
        }
    }

    private void checkChoices() {
        switch (request.mode()) {
            case AGGREGATION -> {
                if (request.pdRatio() != null) {
                    report("/pd_ratio", "is given: only mode pd_ratio takes it, and mode is aggregation");
                }
            }
            case PD_RATIO -> {
                if (request.pdRatio() == null) {
                    report(
                            "/pd_ratio",
                            "is missing: mode pd_ratio needs the devices of a prefill and of a decode instance");
                }
            }
            case CAPACITY -> {
                // Its rules are those of both cost models.
            }
            case DISAGGREGATION ->
                report(
                        "/mode",
                        "is disaggregation: cost model calibrated searches aggregation and pd_ratio; a phase by itself"
                                + " says nothing about a system under load, and estimates price its passes");
        }
        if (request.accounting() != AccountingName.STEADY) {
            report(
                    "/accounting",
                    "is " + WireFormat.name(request.accounting()) + ": cost model calibrated takes steady only");
        }
        broken.addAll(BandCoverage.broken(request.bandCoverage()));
        if (request.dumpOriginalResults()) {
            report(
                    "/dump_original_results",
                    "is true: cost model calibrated records one row for each layout, and the result has them all");
        }
    }

    private void checkQuantization() {
        QuantizationRequest quantization = request.quantization();
        if (quantization.scheme() == null) {
            report("/quantization/scheme", "is missing: cost model calibrated needs it");
            return;
        }
        broken.addAll(quantization.scheme().missing("/quantization/scheme", request.devices()));
        refuse("/quantization/linear", quantization.linear(), "quantization.scheme says it");
        refuse("/quantization/non_expert_linear", quantization.nonExpertLinear(), "quantization.scheme says it");
        refuse("/quantization/checkpoint", quantization.checkpoint(), "quantization.scheme says it");
        refuse("/quantization/attention", quantization.attention(), "engine.kv_cache says it");
        refuse("/quantization/mxfp4_group_size", quantization.mxfp4GroupSize(), "quantization.scheme says it");
    }

    private void checkAnalyticOnly() {
        refuse("/workload/image", request.workload().image(), "images are not priced");
        refuse(
                "/workload/length_distribution",
                request.workload().lengthDistribution(),
                "traffic.length_ratio spreads lengths");
        refuse(
                "/workload/output_distribution",
                request.workload().outputDistribution(),
                "traffic.length_ratio spreads lengths");
        refuse("/serving", request.serving(), "engine says how instances run");
        SearchRequest search = request.search();
        refuse("/search/moe_dp_sizes", search.moeDpSizes(), "replicas of experts are not priced");
        refuse("/search/dcp_sizes", search.dcpSizes(), "ranks that share the KV cache of a sequence are not priced");
        refuse("/search/max_batched_tokens", search.maxBatchedTokens(), "engine.token_budget says it");
        refuse("/search/strategy", search.strategy(), "the best concurrency is found by bisection");
    }

    private void checkSizes(String member, @Nullable List<Integer> sizes) {
        int most = DeviceCounts.most(request);
        for (int index = 0; sizes != null && index < sizes.size(); index++) {
            Integer size = sizes.get(index);
            if (size != null && size > most) {
                report(
                        "/search/" + member + "/" + index,
                        "is " + size + ": at most the device count, " + most + ", is needed");
            }
        }
    }

    private void refuse(String pointer, @Nullable Object value, String instead) {
        if (value != null) {
            report(pointer, "is given: only cost model analytic takes it; with calibrated " + instead);
        }
    }

    private void report(String pointer, String message) {
        broken.add(new Violation(pointer, message));
    }
}
