package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.UnratedWork;
import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Lever.FigureOf;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.AvailableDevices;
import io.throughputoptimizer.core.search.InvalidProblemException;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// The part of a problem that has one best answer: one kind of device, or a pair of kinds, and of separate prefill and
/// decode instances one phase.
///
/// @param problem of the devices of one result, with the limits of the aim alone
/// @param others kinds of device that there are
record Question(OptimizationProblem problem, Aim aim, List<DeviceProfile> others) implements Asked {
    private static final double PERCENT = 100;

    /// Devices of a kind that may be there, where instances need not be connected.
    private static final int MOST_DEVICES = 1_000_000;

    /// The questions of a problem about one of its results.
    ///
    /// @param others kinds of device that there are
    static List<Question> of(OptimizationProblem problem, DeviceResult found, List<DeviceProfile> others) {
        DeviceProfile decode = found.decodeDevice();
        return byAim(
                new OptimizationProblem(
                        problem.model(),
                        decode == null ? List.of(found.device()) : List.of(found.device(), decode),
                        problem.available(),
                        problem.demand(),
                        problem.serving(),
                        about(found, problem.search()),
                        false),
                others);
    }

    /// Names the kinds of device of a result where the problem names several.
    private static Search about(DeviceResult found, Search search) {
        Pairing now = search.instances();
        if (now == null
                || (now.prefill().kinds().isEmpty() && now.decode().kinds().isEmpty())) {
            return search;
        }
        DeviceProfile decode = found.decodeDevice();
        return search.with(now.on(found.device().name(), (decode == null ? found.device() : decode).name()));
    }

    private static List<Question> byAim(OptimizationProblem problem, List<DeviceProfile> others) {
        Limits limits = problem.demand().limits();
        return switch (problem.search().mode()) {
            case AGGREGATION -> List.of(new Question(problem, Aim.AGGREGATION, others));
            case PD_RATIO -> List.of(new Question(problem, Aim.PD_RATIO, others));
            case DISAGGREGATION -> {
                List<Question> questions = new ArrayList<>();
                if (limits.ttftMillis() != null) {
                    new Question(problem, Aim.PREFILL, others)
                            .with(limits.ttftOnly())
                            .ifPresent(questions::add);
                }
                if (limits.tpotMillis() != null) {
                    new Question(problem, Aim.DECODE, others)
                            .with(limits.tpotOnly())
                            .ifPresent(questions::add);
                }
                yield questions;
            }
        };
    }

    private DeviceProfile device() {
        return problem.devices().getFirst();
    }

    /// Whether its plans are pairs in whole numbers of instances.
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

    /// Whether its devices list a rate for all that a quantization of linear layers multiplies in: without one the work
    /// would be priced as free.
    boolean rates(LinearQuantization linear) {
        return problem.devices().stream().allMatch(device -> UnratedWork.isRated(linear, device));
    }

    /// The same of attention on a KV cache.
    boolean rates(AttentionQuantization cache) {
        return problem.devices().stream().allMatch(device -> UnratedWork.isRated(problem.model(), cache, device));
    }

    Workload workload() {
        return problem.demand().workload();
    }

    /// The same with other limits; empty when they cannot be asked for.
    Optional<Question> with(Limits limits) {
        return with(problem.demand().with(limits));
    }

    Optional<Question> with(Workload workload) {
        return with(problem.demand().with(workload));
    }

    private Optional<Question> with(OptimizationProblem.Demand demand) {
        return changed(problem.devices(), problem.available(), demand, problem.search());
    }

    /// On another kind of device in place of one; empty when that cannot be asked for.
    Optional<Question> replacing(DeviceProfile now, DeviceProfile other) {
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

    private Optional<Question> with(DeviceProfile changed) {
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
    public Optional<Question> withInput(int tokens) {
        return with(workload().with(new Lengths.Fixed(tokens)));
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
    public List<NotAsked> notAsked() {
        return List.of();
    }

    @Override
    public String spent() {
        return Inquiry.MOST_STEPS + " steps were simulated";
    }

    @Override
    public List<List<Variant>> choices() {
        return new Choices(this).all();
    }

    @Override
    public List<Variant> largerDevices() {
        return new Choices(this).devices();
    }

    @Override
    public Optional<Question> withDevices(AvailableDevices available) {
        // A plain P/D ratio is one of single instances, of given sizes.
        return aim == Aim.PD_RATIO && !countsInstances()
                ? Optional.empty()
                : changed(problem.devices(), available, problem.demand(), problem.search());
    }

    Optional<Question> with(Axes axes) {
        return with(problem.search().with(axes));
    }

    private Optional<Question> changed(
            List<DeviceProfile> devices, AvailableDevices available, OptimizationProblem.Demand demand, Search search) {
        try {
            OptimizationProblem other = new OptimizationProblem(
                    problem.model(), devices, available, demand, problem.serving(), search, false);
            return Optional.of(new Question(other, aim, others));
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
    public Optional<Question> with(Adjustable lever, double amount) {
        Double today = amount(lever);
        if (today == null) {
            return Optional.empty();
        }
        double factor = amount / today;
        return switch (lever) {
            case Lever.Limit.TTFT_LIMIT -> with(limits().withTtft(amount));
            case Lever.Limit.TPOT_LIMIT -> with(limits().withTpot(amount));
            case Lever.Limit.REQUEST_LATENCY_LIMIT -> with(limits().withRequestLatency(amount));
            case DeviceFigure figure -> with(new ScaledDevice(device(), factor).of(figure));
            case FigureOf(DeviceFigure figure, String device) ->
                with(new ScaledDevice(named(device), factor).of(figure));
            case Lever.Transfer.KV_TRANSFER_RATE ->
                TransferRate.with(instances(), amount).flatMap(this::with);
        };
    }

    private Optional<Question> with(Pairing other) {
        return with(problem.search().with(other));
    }

    private Optional<Question> with(Search search) {
        return changed(problem.devices(), problem.available(), problem.demand(), search);
    }

    @Override
    public Optional<Question> with(Objective objective) {
        return with(problem.demand().with(objective));
    }
}
