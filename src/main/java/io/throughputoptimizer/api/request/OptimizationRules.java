package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.search.ProblemOutline;
import io.throughputoptimizer.core.search.ProblemOutline.Fault;
import io.throughputoptimizer.core.search.ProblemOutline.Part;
import io.throughputoptimizer.core.serving.Accounting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rules between the values of an [OptimizationRequest] that need no catalogue. Which members there may be at all is
/// said where they are, by [Only] and [Refused].
final class OptimizationRules {
    private static final String USER_SPEED = "/slo/tokens_per_s_per_user";

    private final OptimizationRequest request;
    private final List<Violation> broken = new ArrayList<>();

    private OptimizationRules(OptimizationRequest request) {
        this.request = request;
    }

    static List<Violation> broken(OptimizationRequest request) {
        OptimizationRules rules = new OptimizationRules(request);
        rules.broken.addAll(CatalogLookup.missingModel(request.modelId(), request.modelConfig()));
        if (request.isCalibrated()) {
            rules.checkCalibrated();
        } else {
            rules.checkAnalytic();
        }
        rules.checkLimits();
        if (request.mode() == Mode.CAPACITY) {
            rules.checkCapacity();
            rules.checkDemand();
        }
        if (request.workload().conversation() != null) {
            rules.checkConversation();
        }
        return rules.broken;
    }

    private void checkAnalytic() {
        new ProblemOutline(request.mode().mode(), request.accounting(), Set.of())
                .with(Part.TTFT_LIMIT, request.slo().ttftMs())
                .with(Part.TPOT_LIMIT, request.slo().tpotLimitMs())
                .with(Part.E2E_LATENCY_LIMIT, request.slo().e2eLatencyMs())
                .with(Part.LENGTH_DISTRIBUTION, request.workload().lengthDistribution())
                .with(Part.OUTPUT_DISTRIBUTION, request.workload().outputDistribution())
                .with(Part.IMAGES, request.workload().image())
                .with(Part.USER_RATE, userRate())
                .faults()
                .forEach(this::report);
    }

    private void report(Fault fault) {
        boolean saidOtherwise = request.mode() == Mode.CAPACITY && fault == Fault.LENGTHS_UNSERVED;
        String message = saidOtherwise ? null : words(fault);
        if (message != null) {
            boolean ofUsers = fault == Fault.TPOT_GIVEN && request.slo().tokensPerSPerUser() != null;
            report(ofUsers ? USER_SPEED : Pointers.of(fault.subject()), message);
        }
    }

    /// Returns the sentence at the field at fault; none for instances, which [PdRatioRequest] covers, and for
    /// the sentences of [Refused].
    private @Nullable String words(Fault fault) {
        return switch (fault) {
            case NO_LIMIT -> "has no limit: mode disaggregation needs ttft_ms for prefill, tpot_ms for decode, or both";
            case LENGTHS_UNSERVED ->
                request.mode() == Mode.PD_RATIO
                        ? "is pd_ratio: a length distribution needs mode disaggregation"
                        : "is aggregation: with " + WireFormat.name(request.accounting())
                                + " accounting a length distribution needs mode disaggregation";
            case OUTPUTS_UNSERVED ->
                "is given: accounting " + WireFormat.name(request.accounting())
                        + " takes one output_length, steady a distribution";
            case LENGTHS_WITH_IMAGES -> "is given: a length distribution takes text only";
            case OUTPUTS_WITH_IMAGES -> "is given: an output distribution takes text only";
            case TTFT_MISSING -> "is missing: a length distribution is searched for prefill, which needs a TTFT limit";
            case TPOT_GIVEN -> "is given: a length distribution is searched for prefill only, without a TPOT limit";
            case NO_USER_RATE ->
                "is tokens_per_s_per_user: mode disaggregation with a TTFT limit searches prefill instances, which"
                        + " generate no tokens";
            case WHOLE_ANSWERS_OF_PHASES, INSTANCES_MISSING, INSTANCES_GIVEN -> null;
        };
    }

    private @Nullable ObjectiveRequest userRate() {
        ObjectiveRequest objective = request.objective();
        return objective != null && objective.isOfUsers() ? objective : null;
    }

    private void checkLimits() {
        LimitsRequest limits = request.slo();
        Double speed = limits.tokensPerSPerUser();
        if (speed == null) {
            return;
        }
        if (limits.tpotMs() != null) {
            report(USER_SPEED, "is given: beside tpot_ms, which it says the other way round, there is no place for it");
        }
        Double tpot = limits.tpotLimitMs();
        if (tpot != null && (tpot.isInfinite() || tpot == 0)) {
            report(USER_SPEED, "is " + speed + ": 1000 / tokens_per_s_per_user is no number of ms above 0");
        }
    }

    private void checkCalibrated() {
        EngineRequest engine = request.engine();
        if (engine != null) {
            if (engine.backend() != null) {
                broken.addAll(engine.backend().missing("/engine/backend", request.devices()));
            }
            broken.addAll(engine.inconsistencies());
        }
        PerDevice<Scheme> scheme = request.quantization().scheme();
        if (scheme != null) {
            broken.addAll(scheme.missing("/quantization/scheme", request.devices()));
        }
        broken.addAll(request.quantization().missingScheme());
        if (request.mode() == Mode.DISAGGREGATION) {
            report(
                    "/mode",
                    "is disaggregation: cost model calibrated searches aggregation and pd_ratio; a phase by itself"
                            + " says nothing about a system under load, and estimates price its passes");
        }
        if (request.accounting() != Accounting.STEADY) {
            report(
                    "/accounting",
                    "is " + WireFormat.name(request.accounting()) + ": cost model calibrated takes steady only");
        }
        if (request.speculation() != null) {
            checkSpeculation();
        }
        broken.addAll(BandCoverage.broken(request.bandCoverage()));
        checkSizes("tp_sizes", request.search().tpSizes());
        checkSizes("dp_sizes", request.search().dpSizes());
        checkSizes("ep_sizes", request.search().epSizes());
        if (request.mode() == Mode.AGGREGATION || request.mode() == Mode.CAPACITY) {
            FeedbackReader.of(request).ifPresent(feedback -> broken.addAll(feedback.broken()));
        }
    }

    private void checkSpeculation() {
        if (request.feedback() != null) {
            report("/feedback", "is given: what benchmarks teach is not told apart from what is accepted");
        }
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

    private void checkCapacity() {
        ObjectiveRequest objective = request.objective();
        Integer least = objective == null ? null : objective.minConcurrency();
        if (least != null && least > 1) {
            report("/objective/min_concurrency", "is " + least + ": in mode capacity demand says how many are served");
        }
        if (request.workload().lengthDistribution() != null && request.accounting() == Accounting.DOCUMENTED) {
            report("/mode", "is capacity: with documented accounting a length distribution needs mode disaggregation");
        }
    }

    /// Conversations are counted where there are any: a single turn is a request by itself.
    private void checkDemand() {
        DemandRequest demand = request.demand();
        ConversationRequest turns = request.workload().conversation();
        if (demand == null || demand.conversations() == null) {
            return;
        }
        if (turns == null) {
            report(
                    "/demand/conversations",
                    "is given: workload.conversation has to say what they are; concurrency counts requests at once");
        } else if (turns.isAlone()) {
            report(
                    "/demand/conversations",
                    "is given: a conversation of one turn is answered as one request; concurrency counts these");
        }
    }

    /// Checks the conversation: a prefix cache matters only under a steady load.
    private void checkConversation() {
        if (!request.isCalibrated() && request.accounting() != Accounting.STEADY) {
            report(
                    "/accounting",
                    "is " + WireFormat.name(request.accounting())
                            + ": conversations need steady, which knows what a cache keeps from turn to turn");
        }
        if (request.feedback() != null) {
            report("/feedback", "is given: no measured row says what a cache keeps from turn to turn");
        }
    }

    private void report(String pointer, String message) {
        broken.add(new Violation(pointer, message));
    }
}
