package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.UnratedWork;
import io.throughputoptimizer.core.explain.Explanation.SkippedLever;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The part of an analytic problem with one best plan: one kind of device or a pair of kinds, and one phase of
/// separate prefill and decode instances.
///
/// @param problem problem of the devices of one result, with the limits of the aim only
/// @param others known kinds of device
record RooflineQuestion(OptimizationProblem problem, QuestionKind aim, List<DeviceProfile> others) implements Question {
    private static final double PERCENT = 100;

    /// Maximum number of devices if instances are not connected.
    private static final int MOST_DEVICES = 1_000_000;

    private DeviceProfile device() {
        return problem.devices().getFirst();
    }

    /// Returns whether its plans are pairs in numbers of instances.
    boolean countsInstances() {
        return problem.search().countsInstances();
    }

    @Override
    public Limits limits() {
        return problem.demand().limits();
    }

    @Override
    public @Nullable Pairing instances() {
        return problem.search().instances();
    }

    @Override
    public Objective objective() {
        return problem.demand().ranking();
    }

    /// Returns whether all devices list a rate for every type a linear quantization multiplies in. Without a
    /// rate the work would be priced as free.
    boolean rates(LinearQuantization linear) {
        return problem.devices().stream().allMatch(device -> UnratedWork.isRated(linear, device));
    }

    /// Returns whether all devices list a rate for attention on a KV cache type.
    boolean rates(AttentionQuantization cache) {
        return problem.devices().stream().allMatch(device -> UnratedWork.isRated(problem.model(), cache, device));
    }

    Workload workload() {
        return problem.demand().workload();
    }

    @Override
    public Optional<RooflineQuestion> with(Limits limits) {
        return with(problem.demand().with(limits));
    }

    Optional<RooflineQuestion> with(Workload workload) {
        return with(problem.demand().with(workload));
    }

    private Optional<RooflineQuestion> with(OptimizationProblem.Demand demand) {
        return changed(problem.devices(), problem.available(), demand, problem.search());
    }

    /// Returns a copy with one kind of device replaced, or empty if it is not supported.
    Optional<RooflineQuestion> replacing(DeviceProfile now, DeviceProfile other) {
        List<DeviceProfile> devices = problem.devices().stream()
                .map(device -> device.equals(now) ? other : device)
                .toList();
        Pairing pairing = instances();
        return changed(
                devices,
                problem.available(),
                problem.demand(),
                pairing == null
                        ? problem.search()
                        : problem.search()
                                .with(pairing.on(
                                        devices.getFirst().name(),
                                        devices.getLast().name())));
    }

    private Optional<RooflineQuestion> with(DeviceProfile changed) {
        List<DeviceProfile> devices = problem.devices().stream()
                .map(device -> device.name().equals(changed.name()) ? changed : device)
                .toList();
        return changed(devices, problem.available(), problem.demand(), problem.search());
    }

    @Override
    public AvailableDevices available() {
        return problem.available();
    }

    @Override
    public int mostDevices() {
        return countsInstances()
                ? MOST_DEVICES
                : (int) Math.min(Integer.MAX_VALUE - 1, device().interconnect().deviceCount());
    }

    @Override
    public OptionalInt inputTokens() {
        return workload().lengths() instanceof Lengths.Fixed(int tokens) ? OptionalInt.of(tokens) : OptionalInt.empty();
    }

    @Override
    public Optional<RooflineQuestion> withInput(int tokens) {
        return with(workload().with(new Lengths.Fixed(tokens)));
    }

    @Override
    public String spent() {
        return ExplanationSearch.MOST_STEPS + " steps were simulated";
    }

    @Override
    public Choices choices() {
        return new RooflineChoices(this);
    }

    @Override
    public OptionalInt tokenBudget(Plan today) {
        return OptionalInt.of(today.chosen().maxBatchedTokens());
    }

    @Override
    public Optional<RooflineQuestion> withTokenBudget(int tokens) {
        return with(axes().with(new TokenBudgetAxis(List.of(tokens))));
    }

    @Override
    public OptionalDouble hitRate() {
        return workload().conversation() == null
                ? OptionalDouble.of(workload().prefixCacheHitRate())
                : OptionalDouble.empty();
    }

    @Override
    public List<SkippedLever> notAsked() {
        return workload().conversation() == null ? List.of() : List.of(SkippedLever.OF_TURNS);
    }

    @Override
    public Optional<RooflineQuestion> withHitRate(double rate) {
        return with(workload().withPrefixHits(rate));
    }

    @Override
    public Optional<RooflineQuestion> withDevices(AvailableDevices available) {
        // A plain P:D ratio pairs single instances of given sizes.
        return aim == QuestionKind.PD_RATIO && !countsInstances()
                ? Optional.empty()
                : changed(problem.devices(), available, problem.demand(), problem.search());
    }

    Axes axes() {
        return problem.search().axes();
    }

    Optional<RooflineQuestion> with(Axes axes) {
        return with(problem.search().with(axes));
    }

    private Optional<RooflineQuestion> changed(
            List<DeviceProfile> devices, AvailableDevices available, OptimizationProblem.Demand demand, Search search) {
        try {
            OptimizationProblem other = new OptimizationProblem(
                    problem.model(), devices, available, demand, problem.serving(), search, false);
            return Optional.of(new RooflineQuestion(other, aim, others));
        } catch (InvalidProblemException unsound) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> deviceNames() {
        return problem.devices().stream().map(DeviceProfile::name).toList();
    }

    @Override
    public @Nullable Double amount(DeviceFigure figure, String device) {
        return switch (figure) {
            case MEMORY_SIZE -> named(device).memory().capacityBytes() / MemoryFootprint.GIB;
            case MEMORY_BANDWIDTH, MATRIX_RATE, LINK_BANDWIDTH, LINK_LATENCY, STATIC_COSTS -> PERCENT;
        };
    }

    private DeviceProfile named(String name) {
        return problem.devices().stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Optional<RooflineQuestion> scaled(DeviceFigure figure, String device, double factor) {
        return with(new ScaledDevice(named(device), factor).of(figure));
    }

    @Override
    public Optional<RooflineQuestion> with(Pairing other) {
        return with(problem.search().with(other));
    }

    private Optional<RooflineQuestion> with(Search search) {
        return changed(problem.devices(), problem.available(), problem.demand(), search);
    }

    @Override
    public Optional<RooflineQuestion> with(Objective objective) {
        return with(problem.demand().with(objective));
    }
}
