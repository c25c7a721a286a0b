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
            case NO_LIMIT ->
                "requires a limit in mode disaggregation: set ttft_ms for prefill, tpot_ms for decode, or both";
            case LENGTHS_UNSERVED ->
                request.mode() == Mode.PD_RATIO
                        ? "must be disaggregation with a length distribution, got pd_ratio"
                        : "must be disaggregation with a length distribution and accounting "
                                + WireFormat.name(request.accounting())
                                + ", got aggregation. Use accounting steady, or a single input_length";
            case OUTPUTS_UNSERVED ->
                "is not supported with accounting " + WireFormat.name(request.accounting())
                        + ". Use accounting steady, or a single output_length";
            case LENGTHS_WITH_IMAGES ->
                "must not be combined with length_distribution: image inputs require a fixed input_length";
            case OUTPUTS_WITH_IMAGES ->
                "must not be combined with output_distribution: image inputs require a fixed output_length";
            case TTFT_MISSING ->
                "is required with length_distribution in mode disaggregation, which plans prefill only";
            case TPOT_GIVEN ->
                "must not be combined with length_distribution in mode disaggregation, which plans prefill"
                        + " only. Remove it";
            case NO_USER_RATE ->
                "must not be tokens_per_s_per_user with slo.ttft_ms in mode disaggregation: prefill instances"
                        + " generate no tokens. Remove slo.ttft_ms, or use another objective";
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
            report(
                    USER_SPEED,
                    "must not be combined with slo.tpot_ms: both set the same target (1000 / TPOT). Remove one");
        }
        Double tpot = limits.tpotLimitMs();
        if (tpot != null && (tpot.isInfinite() || tpot == 0)) {
            report(
                    USER_SPEED,
                    "is out of range: 1000 / tokens_per_s_per_user must be a finite number of ms above 0, got "
                            + speed);
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
                    "must be aggregation, pd_ratio or capacity with cost_model calibrated, got disaggregation. Use"
                            + " pd_ratio, or POST /api/v1/estimates for single passes");
        }
        if (request.accounting() != Accounting.STEADY) {
            report(
                    "/accounting",
                    "must be steady with cost_model calibrated, got " + WireFormat.name(request.accounting()));
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
            report("/feedback", "is not supported with speculation. Remove feedback, or plan without draft tokens");
        }
    }

    private void checkSizes(String member, @Nullable List<Integer> sizes) {
        int most = DeviceCounts.most(request);
        for (int index = 0; sizes != null && index < sizes.size(); index++) {
            Integer size = sizes.get(index);
            if (size != null && size > most) {
                report(
                        "/search/" + member + "/" + index,
                        "must be at most the device count (" + most + "), got " + size);
            }
        }
    }

    private void checkCapacity() {
        ObjectiveRequest objective = request.objective();
        Integer least = objective == null ? null : objective.minConcurrency();
        if (least != null && least > 1) {
            report(
                    "/objective/min_concurrency",
                    "must not be above 1 in mode capacity, got " + least + ". Set demand.concurrency instead");
        }
        if (request.workload().lengthDistribution() != null && request.accounting() == Accounting.DOCUMENTED) {
            report(
                    "/mode",
                    "must be disaggregation with a length distribution and accounting documented, got capacity."
                            + " Use accounting steady");
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
                    "requires workload.conversation with at least 2 turns. To plan for concurrent requests, use"
                            + " demand.concurrency");
        } else if (turns.isAlone()) {
            report(
                    "/demand/conversations",
                    "requires at least 2 turns in workload.conversation. For single requests, use demand.concurrency");
        }
    }

    /// Checks the conversation: a prefix cache matters only under a steady load.
    private void checkConversation() {
        if (!request.isCalibrated() && request.accounting() != Accounting.STEADY) {
            report(
                    "/accounting",
                    "must be steady with workload.conversation, got " + WireFormat.name(request.accounting()));
        }
        if (request.feedback() != null) {
            report(
                    "/feedback",
                    "is not supported with workload.conversation: measurements contain no prefix cache data."
                            + " Remove feedback");
        }
    }

    private void report(String pointer, String message) {
        broken.add(new Violation(pointer, message));
    }
}
