package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedSizes;
import io.throughputoptimizer.core.explain.Explanation.SkippedLever;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.PairingRules;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A calibrated search for replicas or pairs of instances on one kind of device or a pair of kinds.
///
/// @param problem problem of one device or one pair of kinds
/// @param mostDevices maximum number of connected devices
record CalibratedQuestion(CalibratedProblem problem, int mostDevices, CalibratedAlternatives alternatives)
        implements Question {
    private static final double PERCENT = 100;

    /// Returns the search of one result of a problem.
    static CalibratedQuestion of(CalibratedProblem problem, DeviceRanking found, CalibratedAlternatives alternatives) {
        CalibratedDevice decode = found.decodeDevice() == null ? found.device() : found.decodeDevice();
        return new CalibratedQuestion(
                problem.about(found.device(), decode),
                Stream.of(found.device(), decode)
                        .mapToInt(alternatives::mostDevices)
                        .min()
                        .orElseThrow(),
                alternatives);
    }

    @Override
    public QuestionKind aim() {
        return problem.instances() == null ? QuestionKind.AGGREGATION : QuestionKind.PD_RATIO;
    }

    @Override
    public Objective objective() {
        return problem.ranking();
    }

    CalibratedDevice device() {
        return problem.devices().getFirst();
    }

    @Override
    public @Nullable Pairing instances() {
        return problem.instances();
    }

    @Override
    public Limits limits() {
        return problem.demand().limits();
    }

    /// Returns whether a scheme has checkpoints of the model: a scheme for routed experts requires an MoE
    /// model.
    boolean hasCheckpoints(Scheme scheme) {
        return !scheme.setsExpertsApart() || problem.model().experts().isPresent();
    }

    /// Returns whether rows are simulated or limits apply to a percentile.
    boolean isSimulated() {
        return problem.demand().simulatesRows() || limits().percentile() != null;
    }

    /// Returns whether server measurements correct the figures.
    boolean isMeasured() {
        return problem.devices().stream().anyMatch(CalibratedDevice::isCorrected);
    }

    @Override
    public List<String> deviceNames() {
        return problem.deviceNames();
    }

    @Override
    public @Nullable Double amount(DeviceFigure figure, String device) {
        return switch (figure) {
            case MEMORY_SIZE ->
                problem.device(device).limits().cacheTokens() == null
                        ? (Double) (problem.device(device).calibration().peaks().memoryBytes() / MemoryFootprint.GIB)
                        : null;
            case MEMORY_BANDWIDTH, MATRIX_RATE, LINK_BANDWIDTH, STATIC_COSTS -> PERCENT;
            // Measured collectives include their own latencies for each number of ranks and message size.
            case LINK_LATENCY -> null;
        };
    }

    @Override
    public Optional<CalibratedQuestion> scaled(DeviceFigure figure, String name, double factor) {
        CalibratedDevice changed = problem.device(name);
        CalibratedDevice other = changed.with(new ScaledCalibration(changed.calibration(), factor).of(figure));
        CalibratedDevice scaled = figure == DeviceFigure.MEMORY_SIZE
                ? other.with(other.engine().withMemoryOf(changed.calibration().device(), factor))
                : other;
        return with(device -> device.equals(changed) ? scaled : device);
    }

    @Override
    public Optional<CalibratedQuestion> with(Objective objective) {
        return Optional.of(with(problem.demand().with(objective)));
    }

    private CalibratedQuestion about(CalibratedProblem other) {
        return new CalibratedQuestion(other, mostDevices, alternatives);
    }

    @Override
    public Optional<CalibratedQuestion> with(Limits limits) {
        return Optional.of(with(problem.demand().with(limits)));
    }

    private CalibratedQuestion with(Traffic traffic) {
        return with(problem.demand().with(traffic));
    }

    private CalibratedQuestion with(CalibratedDemand demand) {
        return about(problem.with(demand));
    }

    @Override
    public Optional<CalibratedQuestion> with(Pairing sizes) {
        return possible(problem.with(sizes));
    }

    /// Returns a copy with other sizes, or empty if they conflict with other settings.
    Optional<CalibratedQuestion> with(CalibratedSizes sizes) {
        return possible(problem.with(sizes));
    }

    /// Returns a copy with one kind of device replaced, or empty if it cannot run the model.
    Optional<CalibratedQuestion> replacing(CalibratedDevice now, CalibratedDevice other) {
        UnaryOperator<CalibratedDevice> change = device -> device.equals(now) ? other : device;
        return with(change).isEmpty()
                ? Optional.empty()
                : possible(problem.about(
                        change.apply(problem.devices().getFirst()),
                        change.apply(problem.devices().getLast())));
    }

    /// Returns a copy with every device changed, or empty if one of them cannot run the model.
    Optional<CalibratedQuestion> with(UnaryOperator<CalibratedDevice> change) {
        List<CalibratedDevice> devices = problem.devices().stream().map(change).toList();
        boolean impossible = devices.stream()
                .anyMatch(device -> device.deployment(
                                problem.model(), CalibratedDeployment.layout(problem.model(), 1, 1, 1))
                        .servingObstacle()
                        .filter(one -> !one.part().isOfLayout())
                        .isPresent());
        return impossible ? Optional.empty() : Optional.of(about(problem.with(devices)));
    }

    @Override
    public AvailableDevices available() {
        return problem.available();
    }

    @Override
    public Optional<CalibratedQuestion> withDevices(AvailableDevices available) {
        CalibratedSizes sizes = problem.sizes();
        boolean tooFew = Stream.of(
                        Optional.ofNullable(sizes.tp()),
                        Optional.ofNullable(sizes.dp()),
                        Optional.ofNullable(sizes.ep()))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .anyMatch(size -> size > available.most());
        return tooFew ? Optional.empty() : possible(problem.with(available));
    }

    /// Returns the search of a problem, or empty if it has no candidates.
    private Optional<CalibratedQuestion> possible(CalibratedProblem other) {
        Pairing pairs = other.instances();
        boolean nothing = other.candidates() == 0
                || (pairs != null && (pairs.isRatio() ? !other.holdsInstances(device()) : !canBePaired(other, pairs)));
        return nothing ? Optional.empty() : Optional.of(about(other));
    }

    /// Returns whether the pairing is valid and every size has a layout.
    private static boolean canBePaired(CalibratedProblem other, Pairing pairs) {
        return PairingRules.objections(pairs, other.deviceNames(), other.available())
                        .isEmpty()
                && pairs.sizes().noneMatch(size -> other.instanceLayouts(size).isEmpty());
    }

    @Override
    public OptionalInt inputTokens() {
        return problem.demand().traffic().lengths().namedInput();
    }

    @Override
    public Optional<CalibratedQuestion> withInput(int tokens) {
        Traffic now = problem.demand().traffic();
        return Optional.of(with(now.with(now.lengths().withInput(tokens))));
    }

    @Override
    public OptionalDouble requestRate() {
        Traffic.Rate rate = problem.demand().traffic().rate();
        return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate.perSecond());
    }

    @Override
    public Optional<CalibratedQuestion> withRequestRate(double perSecond) {
        Traffic now = problem.demand().traffic();
        return Optional.ofNullable(now.rate())
                .map(rate -> with(now.with(new Traffic.Rate(perSecond, rate.requests(), rate.seed()))));
    }

    @Override
    public List<SkippedLever> notAsked() {
        return SkippedLever.of(this);
    }

    @Override
    public String spent() {
        if (problem.countsInstances()) {
            return ExplanationSearch.MOST_TRIED_OF_PAIRS + " concurrencies were tried";
        }
        return limits().percentile() == null
                ? ExplanationSearch.MOST_CROWDED_STEPS + " steps were simulated"
                : ExplanationSearch.MOST_SIMULATIONS + " simulations were spent";
    }

    @Override
    public Choices choices() {
        return new CalibratedChoices(this);
    }

    @Override
    public OptionalInt tokenBudget(Plan today) {
        return aim() == QuestionKind.PD_RATIO || isMeasured()
                ? OptionalInt.empty()
                : OptionalInt.of(device().engine().settings().scheduling().tokenBudget());
    }

    @Override
    public Optional<CalibratedQuestion> withTokenBudget(int tokens) {
        return with(device -> device.with(device.engine().withTokenBudget(tokens)));
    }

    @Override
    public OptionalDouble hitRate() {
        return isSimulated() || isMeasured() || hasTurns()
                ? OptionalDouble.empty()
                : OptionalDouble.of(problem.demand().traffic().prefixHitRate());
    }

    /// Returns whether requests are turns of conversations, which determine the prefix cache hit rate.
    boolean hasTurns() {
        return problem.demand().traffic().lengths() instanceof TurnLengths;
    }

    @Override
    public Optional<CalibratedQuestion> withHitRate(double rate) {
        return Optional.of(with(problem.demand().traffic().withPrefixHits(rate)));
    }

    @Override
    public @Nullable Pairing resizable() {
        return problem.instances();
    }

    /// A calibrated device with one figure multiplied by `factor`. Efficiencies are relative to the peaks and
    /// unchanged, as are the bases of prices.
    record ScaledCalibration(Calibration calibration, double factor) {

        /// @throws IllegalArgumentException for link latencies, since measured collectives include them
        Calibration of(DeviceFigure figure) {
            Peaks now = calibration.peaks();
            return switch (figure) {
                case MEMORY_SIZE ->
                    calibration.with(new Peaks(
                            now.matrixOperationsPerSecond(),
                            now.memoryBytes() * factor,
                            now.memoryBytesPerSecond(),
                            now.links()));
                case MEMORY_BANDWIDTH ->
                    calibration.with(new Peaks(
                            now.matrixOperationsPerSecond(),
                            now.memoryBytes(),
                            now.memoryBytesPerSecond() * factor,
                            now.links()));
                case MATRIX_RATE ->
                    calibration.with(new Peaks(
                            scaled(now.matrixOperationsPerSecond()),
                            now.memoryBytes(),
                            now.memoryBytesPerSecond(),
                            now.links()));
                case LINK_BANDWIDTH ->
                    calibration.with(new Peaks(
                            now.matrixOperationsPerSecond(),
                            now.memoryBytes(),
                            now.memoryBytesPerSecond(),
                            scaled(now.links())));
                case STATIC_COSTS -> calibration.withLaunches(factor);
                case LINK_LATENCY ->
                    throw new IllegalArgumentException("measured collectives have latencies of their own");
            };
        }

        private Map<MatrixPeak, Double> scaled(Map<MatrixPeak, Double> rates) {
            Map<MatrixPeak, Double> scaled = new EnumMap<>(MatrixPeak.class);
            rates.forEach((peak, rate) -> scaled.put(peak, rate * factor));
            return scaled;
        }

        private Peaks.Links scaled(Peaks.Links links) {
            return new Peaks.Links(
                    links.bytesPerSecond() * factor,
                    links.domainDevices(),
                    links.interNodeBytesPerSecond() * factor,
                    links.inSwitchReduction());
        }
    }
}
