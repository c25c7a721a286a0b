package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.search.InvalidProblemException;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The part of a problem that has one best answer: one kind of device, and of separate prefill and decode instances one
/// phase.
///
/// @param problem of one device, with the limits of the aim alone
record Question(OptimizationProblem problem, Aim aim) implements Asked {
    private static final double PERCENT = 100;

    /// The questions of a problem about one of its devices.
    static List<Question> of(OptimizationProblem problem, DeviceProfile device) {
        return byAim(new OptimizationProblem(
                problem.model(),
                List.of(device),
                problem.deviceCount(),
                problem.demand(),
                problem.serving(),
                problem.search(),
                false));
    }

    private static List<Question> byAim(OptimizationProblem problem) {
        ServiceObjective limits = problem.demand().objective();
        return switch (problem.search().mode()) {
            case AGGREGATION -> List.of(new Question(problem, Aim.AGGREGATION));
            case PD_RATIO -> List.of(new Question(problem, Aim.PD_RATIO));
            case DISAGGREGATION -> {
                List<Question> questions = new ArrayList<>();
                if (limits.ttftMillis() != null) {
                    new Question(problem, Aim.PREFILL).with(limits.ttftOnly()).ifPresent(questions::add);
                }
                if (limits.tpotMillis() != null) {
                    new Question(problem, Aim.DECODE).with(limits.tpotOnly()).ifPresent(questions::add);
                }
                yield questions;
            }
        };
    }

    DeviceProfile device() {
        return problem.devices().getFirst();
    }

    ServiceObjective limits() {
        return problem.demand().objective();
    }

    @Override
    public Goal goal() {
        return problem.demand().ranking();
    }

    Workload workload() {
        return problem.demand().workload();
    }

    /// The same with other limits; empty when they cannot be asked for.
    Optional<Question> with(ServiceObjective limits) {
        return with(problem.demand().with(limits));
    }

    Optional<Question> with(Workload workload) {
        return with(problem.demand().with(workload));
    }

    private Optional<Question> with(OptimizationProblem.Demand demand) {
        return changed(device(), problem.deviceCount(), demand, problem.search());
    }

    Optional<Question> with(DeviceProfile device) {
        return changed(device, problem.deviceCount(), problem.demand(), problem.search());
    }

    @Override
    public int deviceCount() {
        return problem.deviceCount();
    }

    @Override
    public int mostDevices() {
        return (int) Math.min(Integer.MAX_VALUE - 1, device().interconnect().deviceCount());
    }

    @Override
    public OptionalInt inputTokens() {
        return workload().lengths() instanceof Lengths.Fixed(int tokens) ? OptionalInt.of(tokens) : OptionalInt.empty();
    }

    @Override
    public Optional<Question> withInput(int tokens) {
        Workload now = workload();
        return with(new Workload(new Lengths.Fixed(tokens), now.outputs(), now.prefixCacheHitRate(), now.images()));
    }

    @Override
    public OptionalDouble requestRate() {
        return OptionalDouble.empty();
    }

    @Override
    public Optional<Question> withRequestRate(double perSecond) {
        return Optional.empty();
    }

    @Override
    public List<Variant> variants(Plan today) {
        return new Variants(this, today).all();
    }

    @Override
    public Optional<Question> withDevices(int count) {
        // A P/D ratio is one of single instances, of given sizes.
        return aim == Aim.PD_RATIO ? Optional.empty() : changed(device(), count, problem.demand(), problem.search());
    }

    Optional<Question> with(Axes axes) {
        Search now = problem.search();
        Search search = new Search(now.mode(), now.accounting(), axes, now.batches(), now.instances());
        return changed(device(), problem.deviceCount(), problem.demand(), search);
    }

    private Optional<Question> changed(
            DeviceProfile device, int deviceCount, OptimizationProblem.Demand demand, Search search) {
        try {
            OptimizationProblem other = new OptimizationProblem(
                    problem.model(), List.of(device), deviceCount, demand, problem.serving(), search, false);
            return Optional.of(new Question(other, aim));
        } catch (InvalidProblemException unsound) {
            return Optional.empty();
        }
    }

    @Override
    public @Nullable Double amount(Lever.Limit limit) {
        return switch (limit) {
            case TTFT_LIMIT -> limits().ttftMillis();
            case TPOT_LIMIT -> limits().tpotMillis();
        };
    }

    @Override
    public Double amount(DeviceFigure figure) {
        return switch (figure) {
            case MEMORY_SIZE -> device().memory().capacityBytes() / MemoryFootprint.GIB;
            case MEMORY_BANDWIDTH, MATRIX_RATE, LINK_BANDWIDTH, LINK_LATENCY, STATIC_COSTS -> PERCENT;
        };
    }

    @Override
    public Optional<Question> with(Adjustable lever, double amount) {
        return switch (lever) {
            case Lever.Limit limit when amount(limit) == null -> Optional.empty();
            case Lever.Limit.TTFT_LIMIT -> with(new ServiceObjective(amount, limits().tpotMillis()));
            case Lever.Limit.TPOT_LIMIT -> with(new ServiceObjective(limits().ttftMillis(), amount));
            case DeviceFigure figure -> with(new ScaledDevice(device(), amount / amount(figure)).of(figure));
        };
    }

    @Override
    public Optional<Question> with(Goal goal) {
        return with(problem.demand().with(goal));
    }
}
