package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Change.Lever;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.fleet.FleetProblem;
import io.throughputoptimizer.core.fleet.MeasuredDevice;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.Goal;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconDeployment.Cause;
import io.throughputoptimizer.core.silicon.calibration.Calibration;
import io.throughputoptimizer.core.silicon.calibration.MatrixPeak;
import io.throughputoptimizer.core.silicon.calibration.Peaks;
import io.throughputoptimizer.core.steady.RequestLengths;
import io.throughputoptimizer.core.steady.ServiceLimits;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.Traffic;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What replicas on one kind of measured device are asked for.
///
/// @param problem of one device
record FleetQuestion(FleetProblem problem, int mostDevices) implements Asked {
    private static final double PERCENT = 100;

    /// About one device of a problem.
    static FleetQuestion of(FleetProblem problem, MeasuredDevice device, int mostDevices) {
        return new FleetQuestion(problem.about(device), mostDevices);
    }

    @Override
    public Aim aim() {
        return Aim.AGGREGATION;
    }

    @Override
    public Goal goal() {
        return problem.ranking();
    }

    MeasuredDevice device() {
        return problem.devices().getFirst();
    }

    ServiceLimits limits() {
        return problem.demand().limits();
    }

    /// The mean that the limit of TTFT is for.
    double ttftMillis(SteadyFigures figures) {
        return switch (limits().basis()) {
            case BENCHMARK -> figures.ttft().benchmarkMillis();
            case SETTLED -> figures.ttft().settledMillis();
        };
    }

    private Peaks peaks() {
        return device().calibration().peaks();
    }

    @Override
    public @Nullable Double amount(Lever lever) {
        return switch (lever) {
            case TTFT_LIMIT -> limits().ttftMillis();
            case TPOT_LIMIT -> limits().tpotMillis();
            case MEMORY_SIZE ->
                device().limits().cacheTokens() == null ? (Double) (peaks().memoryBytes() / MemoryFootprint.GIB) : null;
            case MEMORY_BANDWIDTH, MATRIX_RATE, LINK_BANDWIDTH, STATIC_COSTS -> PERCENT;
            // Measured collectives have latencies of their own for each number of ranks and size of message.
            case LINK_LATENCY -> null;
            case DEVICE_COUNT,
                    INPUT_LENGTH,
                    CACHE_QUANTIZATION,
                    LINEAR_QUANTIZATION,
                    NON_EXPERT_QUANTIZATION,
                    DRAFT_TOKENS,
                    TOKEN_BUDGET,
                    PREFIX_CACHE_HIT_RATE ->
                throw new IllegalArgumentException("lever is " + lever + ": a limit or one of the device is needed");
        };
    }

    @Override
    public Optional<FleetQuestion> with(Lever lever, double amount) {
        Double today = amount(lever);
        if (today == null) {
            return Optional.empty();
        }
        ServiceLimits now = limits();
        if (lever == Lever.TTFT_LIMIT) {
            return Optional.of(with(new ServiceLimits(amount, now.tpotMillis(), now.basis(), now.percentile())));
        }
        return lever == Lever.TPOT_LIMIT
                ? Optional.of(with(new ServiceLimits(now.ttftMillis(), amount, now.basis(), now.percentile())))
                : with(device().with(scaled(lever, amount / today)));
    }

    /// Efficiencies are shares of the peaks and stay, as do the bases of the prices.
    private Calibration scaled(Lever lever, double factor) {
        Calibration calibration = device().calibration();
        Peaks now = calibration.peaks();
        Peaks.Links links = now.links();
        return switch (lever) {
            case MEMORY_SIZE ->
                calibration.with(new Peaks(
                        now.matrixOperationsPerSecond(),
                        now.memoryBytes() * factor,
                        now.memoryBytesPerSecond(),
                        links));
            case MEMORY_BANDWIDTH ->
                calibration.with(new Peaks(
                        now.matrixOperationsPerSecond(),
                        now.memoryBytes(),
                        now.memoryBytesPerSecond() * factor,
                        links));
            case MATRIX_RATE ->
                calibration.with(new Peaks(
                        scaled(now.matrixOperationsPerSecond(), factor),
                        now.memoryBytes(),
                        now.memoryBytesPerSecond(),
                        links));
            case LINK_BANDWIDTH ->
                calibration.with(new Peaks(
                        now.matrixOperationsPerSecond(),
                        now.memoryBytes(),
                        now.memoryBytesPerSecond(),
                        new Peaks.Links(
                                links.bytesPerSecond() * factor,
                                links.domainDevices(),
                                links.interNodeBytesPerSecond() * factor,
                                links.inSwitchReduction())));
            case STATIC_COSTS -> calibration.withLaunches(factor);
            case TTFT_LIMIT,
                    TPOT_LIMIT,
                    LINK_LATENCY,
                    DEVICE_COUNT,
                    INPUT_LENGTH,
                    CACHE_QUANTIZATION,
                    LINEAR_QUANTIZATION,
                    NON_EXPERT_QUANTIZATION,
                    DRAFT_TOKENS,
                    TOKEN_BUDGET,
                    PREFIX_CACHE_HIT_RATE ->
                throw new IllegalArgumentException("lever is " + lever + ": one of the device is needed");
        };
    }

    private static Map<MatrixPeak, Double> scaled(Map<MatrixPeak, Double> rates, double factor) {
        Map<MatrixPeak, Double> scaled = new EnumMap<>(MatrixPeak.class);
        rates.forEach((peak, rate) -> scaled.put(peak, rate * factor));
        return scaled;
    }

    private FleetQuestion with(ServiceLimits limits) {
        FleetProblem.Demand now = problem.demand();
        return with(new FleetProblem.Demand(now.traffic(), limits, now.batches(), now.simulatesRows(), now.goal()));
    }

    FleetQuestion with(Traffic traffic) {
        FleetProblem.Demand now = problem.demand();
        return with(new FleetProblem.Demand(traffic, now.limits(), now.batches(), now.simulatesRows(), now.goal()));
    }

    private FleetQuestion with(FleetProblem.Demand demand) {
        return new FleetQuestion(problem.with(demand), mostDevices);
    }

    /// With another device; empty where it cannot run the model at all.
    Optional<FleetQuestion> with(MeasuredDevice device) {
        Optional<SiliconDeployment.Obstacle> obstacle = device.deployment(
                        problem.model(), SiliconDeployment.layout(problem.model(), 1, 1, 1))
                .obstacle()
                .filter(one -> one.cause() != Cause.LAYOUT);
        return obstacle.isPresent()
                ? Optional.empty()
                : Optional.of(new FleetQuestion(problem.about(device), mostDevices));
    }

    @Override
    public int deviceCount() {
        return problem.deviceCount();
    }

    @Override
    public Optional<FleetQuestion> withDevices(int count) {
        FleetProblem.Sizes sizes = problem.sizes();
        boolean tooFew = Stream.of(
                        Optional.ofNullable(sizes.tp()),
                        Optional.ofNullable(sizes.dp()),
                        Optional.ofNullable(sizes.ep()))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .anyMatch(size -> size > count);
        FleetProblem other = problem.with(count);
        return tooFew || other.layouts().isEmpty()
                ? Optional.empty()
                : Optional.of(new FleetQuestion(other, mostDevices));
    }

    @Override
    public OptionalInt inputTokens() {
        return OptionalInt.of(problem.demand().traffic().lengths().inputTokens());
    }

    @Override
    public Optional<FleetQuestion> withInput(int tokens) {
        Traffic now = problem.demand().traffic();
        RequestLengths lengths = now.lengths();
        return Optional.of(with(new Traffic(
                new RequestLengths(tokens, lengths.outputTokens(), lengths.ratio()),
                now.prefixHitRate(),
                now.waves(),
                now.thinkMillis(),
                now.rate())));
    }

    @Override
    public List<Variant> variants(Plan today) {
        return new FleetVariants(this).all();
    }
}
