package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.measured.MeasuredDemand;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredResult.DeviceRanking;
import io.throughputoptimizer.core.measured.MeasuredSizes;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.PairingRules;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.silicon.Scheme;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.steady.TurnLengths;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What replicas, or pairs of instances, on one kind of measured device, or on a pair of kinds, are asked for.
///
/// @param problem of one device, or of one pair of kinds
/// @param mostDevices that can be connected
record MeasuredQuestion(MeasuredProblem problem, int mostDevices, MeasuredAlternatives alternatives)
        implements Question {
    private static final double PERCENT = 100;

    /// About one result of a problem.
    static MeasuredQuestion of(MeasuredProblem problem, DeviceRanking found, MeasuredAlternatives alternatives) {
        MeasuredDevice decode = found.decodeDevice() == null ? found.device() : found.decodeDevice();
        return new MeasuredQuestion(
                problem.about(found.device(), decode),
                Stream.of(found.device(), decode)
                        .mapToInt(alternatives::mostDevices)
                        .min()
                        .orElseThrow(),
                alternatives);
    }

    @Override
    public Aim aim() {
        return problem.instances() == null ? Aim.AGGREGATION : Aim.PD_RATIO;
    }

    @Override
    public Objective objective() {
        return problem.ranking();
    }

    MeasuredDevice device() {
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

    /// Whether the model is published in a scheme: one of routed experts is for models that have some.
    boolean hasCheckpoints(Scheme scheme) {
        return !scheme.setsExpertsApart() || problem.model().experts().isPresent();
    }

    /// Whether rows are simulated, or limits are on a percentile.
    boolean isSimulated() {
        return problem.demand().simulatesRows() || limits().percentile() != null;
    }

    /// Whether measurements of the server correct its figures.
    boolean isMeasured() {
        return problem.devices().stream().anyMatch(MeasuredDevice::isCorrected);
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
            // Measured collectives have latencies of their own for each number of ranks and size of message.
            case LINK_LATENCY -> null;
        };
    }

    @Override
    public Optional<MeasuredQuestion> scaled(DeviceFigure figure, String name, double factor) {
        MeasuredDevice changed = problem.device(name);
        MeasuredDevice other = changed.with(new ScaledCalibration(changed.calibration(), factor).of(figure));
        MeasuredDevice scaled = figure == DeviceFigure.MEMORY_SIZE
                ? other.with(other.engine().withMemoryOf(changed.calibration().device(), factor))
                : other;
        return with(device -> device.equals(changed) ? scaled : device);
    }

    @Override
    public Optional<MeasuredQuestion> with(Objective objective) {
        return Optional.of(with(problem.demand().with(objective)));
    }

    private MeasuredQuestion about(MeasuredProblem other) {
        return new MeasuredQuestion(other, mostDevices, alternatives);
    }

    @Override
    public Optional<MeasuredQuestion> with(Limits limits) {
        return Optional.of(with(problem.demand().with(limits)));
    }

    private MeasuredQuestion with(Traffic traffic) {
        return with(problem.demand().with(traffic));
    }

    private MeasuredQuestion with(MeasuredDemand demand) {
        return about(problem.with(demand));
    }

    @Override
    public Optional<MeasuredQuestion> with(Pairing sizes) {
        return possible(problem.with(sizes));
    }

    /// With other sizes to try; empty where they do not go together with the rest.
    Optional<MeasuredQuestion> with(MeasuredSizes sizes) {
        return possible(problem.with(sizes));
    }

    /// On another kind of device in place of one; empty where that cannot run the model at all.
    Optional<MeasuredQuestion> replacing(MeasuredDevice now, MeasuredDevice other) {
        UnaryOperator<MeasuredDevice> change = device -> device.equals(now) ? other : device;
        return with(change).isEmpty()
                ? Optional.empty()
                : possible(problem.about(
                        change.apply(problem.devices().getFirst()),
                        change.apply(problem.devices().getLast())));
    }

    /// With every device changed; empty where one cannot run the model at all then.
    Optional<MeasuredQuestion> with(UnaryOperator<MeasuredDevice> change) {
        List<MeasuredDevice> devices = problem.devices().stream().map(change).toList();
        boolean impossible = devices.stream()
                .anyMatch(
                        device -> device.deployment(problem.model(), SiliconDeployment.layout(problem.model(), 1, 1, 1))
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
    public Optional<MeasuredQuestion> withDevices(AvailableDevices available) {
        MeasuredSizes sizes = problem.sizes();
        boolean tooFew = Stream.of(
                        Optional.ofNullable(sizes.tp()),
                        Optional.ofNullable(sizes.dp()),
                        Optional.ofNullable(sizes.ep()))
                .flatMap(Optional::stream)
                .flatMap(List::stream)
                .anyMatch(size -> size > available.most());
        return tooFew ? Optional.empty() : possible(problem.with(available));
    }

    /// Of a problem that has something to try.
    private Optional<MeasuredQuestion> possible(MeasuredProblem other) {
        Pairing pairs = other.instances();
        boolean nothing = other.candidates() == 0
                || (pairs != null && (pairs.isRatio() ? !other.holdsInstances(device()) : !canBePaired(other, pairs)));
        return nothing ? Optional.empty() : Optional.of(about(other));
    }

    /// Whether every size can be in a pair, as requests must have it.
    private static boolean canBePaired(MeasuredProblem other, Pairing pairs) {
        return PairingRules.objections(pairs, other.deviceNames(), other.available())
                        .isEmpty()
                && pairs.sizes().noneMatch(size -> other.instanceLayouts(size).isEmpty());
    }

    @Override
    public OptionalInt inputTokens() {
        return problem.demand().traffic().lengths().namedInput();
    }

    @Override
    public Optional<MeasuredQuestion> withInput(int tokens) {
        Traffic now = problem.demand().traffic();
        return Optional.of(with(now.with(now.lengths().withInput(tokens))));
    }

    @Override
    public OptionalDouble requestRate() {
        Traffic.Rate rate = problem.demand().traffic().rate();
        return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate.perSecond());
    }

    @Override
    public Optional<MeasuredQuestion> withRequestRate(double perSecond) {
        Traffic now = problem.demand().traffic();
        return Optional.ofNullable(now.rate())
                .map(rate -> with(now.with(new Traffic.Rate(perSecond, rate.requests(), rate.seed()))));
    }

    @Override
    public List<NotAsked> notAsked() {
        return NotAsked.of(this);
    }

    @Override
    public String spent() {
        return problem.countsInstances()
                ? Inquiry.MOST_TRIED_OF_PAIRS + " concurrencies were tried"
                : Inquiry.MOST_SIMULATIONS + " simulations were spent";
    }

    @Override
    public Choices choices() {
        return new MeasuredChoices(this);
    }

    @Override
    public OptionalInt tokenBudget(Plan today) {
        return aim() == Aim.PD_RATIO || isMeasured()
                ? OptionalInt.empty()
                : OptionalInt.of(device().engine().settings().scheduling().tokenBudget());
    }

    @Override
    public Optional<MeasuredQuestion> withTokenBudget(int tokens) {
        return with(device -> device.with(device.engine().withTokenBudget(tokens)));
    }

    @Override
    public OptionalDouble hitRate() {
        return isSimulated() || isMeasured() || hasTurns()
                ? OptionalDouble.empty()
                : OptionalDouble.of(problem.demand().traffic().prefixHitRate());
    }

    /// Whether requests are turns of conversations, whose hit rate follows from them.
    boolean hasTurns() {
        return problem.demand().traffic().lengths() instanceof TurnLengths;
    }

    @Override
    public Optional<MeasuredQuestion> withHitRate(double rate) {
        return Optional.of(with(problem.demand().traffic().withPrefixHits(rate)));
    }

    @Override
    public @Nullable Pairing resizable() {
        return problem.instances();
    }
}
