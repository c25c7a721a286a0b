package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedPoint.Uncertain;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.calibrated.PricedPair;
import io.throughputoptimizer.core.capacity.CalibratedPairPlan;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import org.jspecify.annotations.Nullable;

/// One prefill and one decode instance of measured instances that share requests. What the law says of all of them is
/// shared out evenly: a prefill rank works on one prompt at a time, and all requests outstanding count as those of the
/// decode ranks.
final class PairSideResponses {
    private final CalibratedProblem problem;
    private final MeanRequest request;
    private final PricedPair pair;
    private final CalibratedRow row;
    private final CalibratedPoint at;
    private final CalibratedInstances.Pair instances;
    private final double mostRunning;

    private PairSideResponses(CalibratedProblem problem, PricedPair pair, CalibratedRow row, double mostRunning) {
        this.problem = problem;
        this.request = problem.demand().traffic().mean(row.at().figures());
        this.pair = pair;
        this.row = row;
        this.at = row.at();
        this.instances = at.pair();
        this.mostRunning = mostRunning;
    }

    static PairSideResponses of(CalibratedPairPlan plan, SteadyFigures figures) {
        PricedPair pair = plan.pair().in(plan.counts());
        return new PairSideResponses(
                plan.problem(),
                pair,
                pair.row(figures).withBinds(plan.binds(figures)),
                pair.row(plan.peak()).at().running());
    }

    private RequestLengths lengths() {
        return problem.demand().traffic().lengths();
    }

    RowResponse prefill() {
        return side(
                instances.prefill(),
                new Side(
                        pair.counts().prefill(), 1, instances.prefill().layout().dp(), request.inputTokens(), true),
                BreakdownResponse.percent(row.steps().prefill()),
                MemoryResponse.ofPrompt(row, lengths()));
    }

    RowResponse decode() {
        int count = pair.counts().decode();
        return side(
                instances.decode(),
                new Side(
                        count,
                        (long) Math.ceil(at.running()),
                        Math.ceilDiv(at.concurrency(), count),
                        request.outputTokens(),
                        false),
                BreakdownResponse.percent(row.steps().decode()),
                MemoryResponse.from(row, lengths()));
    }

    /// @param count instances
    /// @param batch requests of a rank
    /// @param concurrency requests of an instance
    /// @param tokens of a request that count here
    private record Side(long count, long batch, long concurrency, double tokens, boolean prefills) {}

    private RowResponse side(
            CalibratedDeployment deployment, Side side, @Nullable BreakdownResponse breakdown, MemoryResponse memory) {
        int computed = (int) Math.ceil(request.newTokens());
        int budget = deployment.engine().settings().scheduling().tokenBudget();
        int devices = deployment.layout().deviceCount();
        Uncertain tokens = at.rate(side.tokens / side.count);
        Uncertain each = at.rate(side.tokens / side.count / devices);
        Uncertain rate = at.rate(1.0 / side.count);
        return new RowResponse(
                null,
                ParallelResponse.from(deployment),
                side.batch,
                side.concurrency,
                side.prefills ? at.ttftMillis().value() : null,
                side.prefills ? null : at.tpotMillis().value(),
                tokens.value(),
                each.value(),
                rate.value(),
                side.prefills ? instances.prefillPerSecond(at.figures()) : instances.decodePerSecond(at.figures()),
                CalibratedResponses.named(problem.demand().traffic().lengths().namedInput()),
                CalibratedResponses.named(problem.demand().traffic().lengths().namedOutput()),
                computed,
                budget,
                side.prefills ? Math.ceilDiv(computed, budget) : 0,
                breakdown,
                null,
                null,
                memory,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                FigureBandsResponse.of(
                        at,
                        side.prefills ? at.ttftMillis() : null,
                        side.prefills ? null : at.tpotMillis(),
                        tokens,
                        each,
                        rate),
                SteadyRowResponse.from(at, null, null).with(side.prefills ? null : SpeculationResponse.of(row)),
                side.prefills ? ConversationsResponse.of(at.figures().kept(), 1.0 / side.count) : null,
                null,
                BindingName.of(row.binds()),
                side.prefills ? RowWarnings.ofPrefill(at) : RowWarnings.ofShare(mostRunning, at, problem.demand()));
    }
}
