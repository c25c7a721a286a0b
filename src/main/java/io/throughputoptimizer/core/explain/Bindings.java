package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.explain.Binding.Margin;
import io.throughputoptimizer.core.explain.Binding.Margins;
import io.throughputoptimizer.core.explain.Binding.OfCandidate;
import io.throughputoptimizer.core.explain.CalibratedBindings.LowerConcurrencyBlocker;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.PairCandidates;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.Plateau;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the bottleneck of each candidate of a phase.
///
/// @param limits limits of the phase
/// @param sides KV transfers of pairs in numbers of instances, whose TTFT includes the transfer; null for other
///     plans
/// @param least best achievable figures by candidate label
record Bindings(
        RooflineQuestion question,
        Phase phase,
        Limits limits,
        @Nullable PairCandidates sides,
        AnalyticForwardEstimator estimator,
        ExplanationSearch inquiry,
        Map<String, BestReachable> least) {
    /// Minimum relative gain in throughput for which the token budget counts as the bottleneck.
    private static final double LEAST_GAIN = 0.005;

    List<Binding> of(PhaseResult found) {
        return of(kept(found), found.rejected());
    }

    static List<Kept> kept(PhaseResult found) {
        return found.rows().stream()
                .map(row -> new Kept(row.candidate(), row.batchSize(), null))
                .toList();
    }

    /// A plan of a candidate.
    ///
    /// @param partner the other phase of its pair, if both share an end-to-end latency limit; null otherwise
    record Kept(
            Candidate candidate, long batchSize, @Nullable Side partner) {}

    List<Binding> of(List<Kept> plans, List<RejectedCandidate> rejected) {
        List<Binding> bindings = new ArrayList<>();
        plans.forEach(plan -> bindings.add(kept(plan)));
        rejected.forEach(one -> {
            inquiry.failWhenCancelled();
            bindings.add(rejected(one));
        });
        return bindings;
    }

    private Binding kept(Kept plan) {
        BatchRange range = question.problem().search().batches().range();
        Objective objective = question.objective().in(phase);
        if (objective.prefersFewRequests()) {
            return fewest(plan, objective);
        }
        Candidate candidate = plan.candidate;
        if (range != null && plan.batchSize == range.max()) {
            return binding(plan, true, BindingLimit.BATCH_RANGE, "batch_range ends at " + range.max());
        }
        ServingPoint next = at(candidate, plan.batchSize + 1, estimator);
        String words = "batch size " + (plan.batchSize + 1);
        Optional<LimitBreach> breach = LimitBreach.first(next, own(plan));
        if (breach.isPresent()) {
            return binding(plan, true, BindingLimit.of(breach.get()), words + ": " + described(breach.get(), plan));
        }
        BindingLimit limit = unbroken(plan, next);
        return binding(plan, true, limit, words + unbroken(limit, candidate));
    }

    /// Returns the limits of one phase: TTFT and end-to-end latency minus the shares of the transfer and the
    /// partner.
    private Limits own(Kept plan) {
        Limits own =
                sides == null ? limits : sides.limits(phase, plan.candidate).orElse(limits);
        Double whole = limits.requestLatencyMillis();
        return plan.partner == null || whole == null ? own : own.withRequestLatency(whole - besideMillis(plan));
    }

    /// Returns the part of the end-to-end latency due to the partner and the KV transfer.
    private double besideMillis(Kept plan) {
        return plan.partner == null || sides == null ? 0 : sides.besideMillis(phase, plan.partner);
    }

    private String described(LimitBreach breach, Kept plan) {
        Double whole = limits.requestLatencyMillis();
        return switch (breach) {
            case LimitBreach.RequestLatencyExceeded(double millis, var _)
            when plan.partner != null && whole != null ->
                new LimitBreach.RequestLatencyExceeded(millis + besideMillis(plan), whole).description()
                        + beside(plan.partner);
            case LimitBreach.RequestLatencyExceeded _
            when phase != Phase.AGGREGATION -> breach.description() + PairCandidates.inPart(phase);
            case LimitBreach.TtftExceeded _
            when sides != null -> breach.description() + sides.besideTransfer(plan.candidate);
            case LimitBreach.TtftExceeded _,
                    LimitBreach.TpotExceeded _,
                    LimitBreach.RequestLatencyExceeded _,
                    LimitBreach.OutOfMemory _ -> breach.description();
        };
    }

    private String beside(Side partner) {
        return phase == Phase.PREFILL
                ? " with decode at TPOT " + partner.latencyMillis() + " ms"
                : " with prefill at TTFT " + partner.latencyMillis() + " ms";
    }

    /// Returns the limit that prevents a smaller batch size and so a lower latency.
    private Binding fewest(Kept plan, Objective objective) {
        Candidate candidate = plan.candidate;
        BatchPlan batches = question.problem().search().batches();
        LowerConcurrencyBlocker fewer = LowerConcurrencyBlocker.of(
                plan.batchSize,
                batches.least(objective, candidate.layout()),
                candidate.layout().dp(),
                objective.leastConcurrency(),
                false);
        return binding(plan, true, fewer.limit(), fewer.words());
    }

    private Binding rejected(RejectedCandidate rejected) {
        BindingLimit limit = rejected.reason().limit();
        Long batchSize = rejected.batchSize();
        return batchSize == null
                ? new Binding(
                        new OfCandidate(phase, rejected.candidate(), null, List.of()),
                        null,
                        false,
                        limit,
                        rejected.detail(),
                        null,
                        null)
                : binding(new Kept(rejected.candidate(), batchSize, null), false, limit, rejected.detail());
    }

    private Binding binding(Kept plan, boolean kept, BindingLimit limit, String detail) {
        LongestPassRecorder witness = new LongestPassRecorder(estimator);
        Candidate candidate = plan.candidate;
        ServingPoint point = at(candidate, plan.batchSize, witness);
        return new Binding(
                new OfCandidate(phase, candidate, point.costs().memory(), witness.profiles(candidate.deployment())),
                plan.batchSize,
                kept,
                limit,
                detail,
                margins(plan, point),
                least(candidate));
    }

    private ServingPoint at(Candidate candidate, long batchSize, ForwardEstimator passes) {
        return candidate
                .serving(phase, inquiry.watched(passes), inquiry.simulation())
                .at(batchSize);
    }

    /// Returns the bottleneck of a plan whose next batch size violates no limit.
    private BindingLimit unbroken(Kept plan, ServingPoint next) {
        Candidate candidate = plan.candidate;
        if (plan.partner != null) {
            return BindingLimit.THROUGHPUT;
        }
        double rate = at(candidate, plan.batchSize, estimator).figures().tokensPerSecond();
        if (Plateau.isMore(
                next.figures().tokensPerSecond(), rate, candidate.terms().accounting())) {
            return BindingLimit.SEARCH;
        }
        int budget = candidate.terms().maxBatchedTokens();
        if (phase == Phase.DECODE || budget > Integer.MAX_VALUE / 2) {
            return BindingLimit.THROUGHPUT;
        }
        ServingPoint withMore = at(candidate.withTokenBudget(2 * budget), plan.batchSize + 1, estimator);
        boolean gains = withMore.figures().tokensPerSecond() > rate * (1 + LEAST_GAIN)
                && LimitBreach.first(withMore, own(plan)).isEmpty();
        return gains ? BindingLimit.MAX_BATCHED_TOKENS : BindingLimit.THROUGHPUT;
    }

    private static String unbroken(BindingLimit limit, Candidate candidate) {
        return switch (limit) {
            case MAX_BATCHED_TOKENS ->
                " delivers no more; with a token budget of "
                        + 2 * candidate.terms().maxBatchedTokens() + " it does, within the limits";
            case THROUGHPUT -> " keeps every limit and delivers no more";
            case SEARCH -> " keeps every limit and delivers more, but the strategy did not try it";
            case TTFT,
                    TPOT,
                    E2E_LATENCY,
                    MEMORY,
                    BATCH_RANGE,
                    ENGINE,
                    MEASURED_RANGE,
                    LEAST_CONCURRENCY,
                    DEMAND,
                    RATE,
                    MODEL ->
                throw new IllegalArgumentException("limit is " + limit + ": the next batch size breaks none");
        };
    }

    private @Nullable BestReachable least(Candidate candidate) {
        BestReachable reached = least.get(candidate.label());
        return reached == null ? null : reached.later(transferMillis(candidate));
    }

    private double transferMillis(Candidate candidate) {
        Handover handover = sides == null || phase != Phase.PREFILL ? null : sides.handover(candidate);
        return handover == null ? 0 : handover.millis();
    }

    /// Returns the end-to-end latency; without a partner only the part of the phase and its transfer.
    private @Nullable Double answerMillis(Kept plan, ServingPoint point) {
        Double part = point.figures().requestLatencyMillis();
        double beside = plan.partner == null ? transferMillis(plan.candidate) : besideMillis(plan);
        return part == null ? null : (Double) (part + beside);
    }

    private Margins margins(Kept plan, ServingPoint point) {
        Candidate candidate = plan.candidate;
        MemoryFootprint memory = point.costs().memory();
        Double ttft = point.figures().ttftMillis();
        return new Margins(
                Margin.of(ttft == null ? null : (Double) (ttft + transferMillis(candidate)), limits.ttftMillis()),
                Margin.of(point.figures().tpotMillis(), limits.tpotMillis()),
                Margin.of(answerMillis(plan, point), limits.requestLatencyMillis()),
                new Margin(memory.availableBytes(), memory.availableBytes() / memory.capacityBytes()));
    }

    /// Estimates passes and records the longest one of each phase. Not thread-safe; one instance per deployment.
    static final class LongestPassRecorder implements ForwardEstimator {
        private final AnalyticForwardEstimator estimator;
        private @Nullable Seen prefill;
        private @Nullable Seen decode;

        private record Seen(ForwardShape shape, double millis) {}

        LongestPassRecorder(AnalyticForwardEstimator estimator) {
            this.estimator = estimator;
        }

        @Override
        public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
            ForwardEstimate estimate = estimator.estimate(deployment, shape);
            if (decodes(shape)) {
                decode = longer(decode, shape, estimate);
            } else {
                prefill = longer(prefill, shape, estimate);
            }
            return estimate;
        }

        List<PassProfile> profiles(Deployment deployment) {
            List<PassProfile> profiles = new ArrayList<>();
            profile(deployment, prefill, false).ifPresent(profiles::add);
            profile(deployment, decode, true).ifPresent(profiles::add);
            return profiles;
        }

        private Optional<PassProfile> profile(Deployment deployment, @Nullable Seen seen, boolean decodes) {
            return Optional.ofNullable(seen)
                    .map(pass -> PassProfile.of(estimator.price(deployment, pass.shape), decodes));
        }

        private static Seen longer(@Nullable Seen before, ForwardShape shape, ForwardEstimate estimate) {
            return before != null && before.millis >= estimate.latencyMillis()
                    ? before
                    : new Seen(shape, estimate.latencyMillis());
        }

        private static boolean decodes(ForwardShape shape) {
            return switch (shape) {
                case ForwardShape.Uniform uniform -> uniform.request().decode();
                case ForwardShape.RequestList list ->
                    list.groups().stream().allMatch(group -> group.request().decode());
            };
        }
    }
}
