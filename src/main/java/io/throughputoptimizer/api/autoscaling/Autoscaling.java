package io.throughputoptimizer.api.autoscaling;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions.Rate;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse.IntervalResponse;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse.ParameterResponse;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse.ScheduleResponse;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.capacity.AutoscalerLaws.Line;
import io.throughputoptimizer.core.capacity.AutoscalerLaws.Queueing;
import io.throughputoptimizer.core.capacity.AutoscalerLaws.Throughput;
import io.throughputoptimizer.core.capacity.ScalableInstance;
import io.throughputoptimizer.core.capacity.ScalableInstance.End;
import io.throughputoptimizer.core.capacity.ScalableInstance.Load;
import io.throughputoptimizer.core.capacity.ScalableInstance.Setting;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.TriedInstance;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Parameters of autoscalers for one deployment of mode `capacity`. Used by one thread.
public final class Autoscaling {
    static final String TARGET = "target_concurrency";
    static final String CACHE = "kv_cache_threshold";
    static final String CACHE_UP = "decode_scale_up_kv_rate";
    static final String CACHE_DOWN = "decode_scale_down_kv_rate";
    static final String MAX = "max_replicas";

    private static final Texts TEXTS =
            WireFormat.read("{\"numbers\":" + AutoscalerFiles.text("parameters.json") + "}", Texts.class);

    private static final double PERCENT = 100;
    private static final double MILLIS = 1000;
    private static final double HOUR_S = 3600;
    private static final double MOST_CACHE = 0.95;
    private static final double QUEUE_DEFAULT = 5;
    private static final double WITHOUT_INTERVALS = 1.5;
    private static final double LINE_ERROR = 3;

    private final OptimizationRequest request;
    private final DeploymentResponse plan;
    private final AutoscalingOptions options;
    private final List<ParameterResponse> parameters = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// Descriptions of numbers by name.
    private record Texts(Map<String, Description> numbers) {}

    /// Description of a number.
    private record Description(String unit, String formula, String source) {}

    private Autoscaling(OptimizationRequest request, DeploymentResponse plan, AutoscalingOptions options) {
        this.request = request;
        this.plan = plan;
        this.options = options;
    }

    /// Returns whether the instances of a deployment prefill and decode.
    public static boolean isAggregated(DeploymentResponse plan) {
        return plan.instances().size() == 1;
    }

    /// Returns the parameters of a deployment.
    ///
    /// @param request effective request
    /// @param question search that the request describes
    /// @param checkpoint called repeatedly; may end the work by an exception
    public static AutoscalingResponse of(
            OptimizationRequest request,
            DeploymentResponse plan,
            SearchQuestion question,
            Optimizer optimizer,
            AutoscalingOptions options,
            Runnable checkpoint) {
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public void failWhenCancelled() {
                checkpoint.run();
            }
        };
        Optional<ScalableInstance> instance =
                isAggregated(plan) ? instance(plan, question, optimizer, monitor) : Optional.empty();
        return new Autoscaling(request, plan, options).response(instance);
    }

    private static Optional<ScalableInstance> instance(
            DeploymentResponse plan, SearchQuestion question, Optimizer optimizer, SearchMonitor monitor) {
        RowResponse peak = plan.instances().getFirst().peak();
        return switch (question) {
            case SearchQuestion.MeasuredCapacity(var problem) ->
                problem.instances()
                        .filter(one -> one.phase() == Phase.AGGREGATION
                                && one.device().name().equals(plan.device())
                                && ParallelResponse.from(one.deployment()).equals(peak.parallel()))
                        .findFirst()
                        .flatMap(one -> ScalableInstance.of(problem, one, monitor));
            case SearchQuestion.Capacity(var problem, var _) ->
                problem.instances()
                        .flatMap(sized -> TriedInstance.of(sized)
                                .filter(one -> one.phase() == Phase.AGGREGATION
                                        && one.deployment().device().name().equals(plan.device())
                                        && ParallelResponse.from(one.candidate())
                                                .equals(peak.parallel()))
                                .map(one -> ScalableInstance.of(
                                        sized, problem.requirement(), one, peak.batchSize(), optimizer, monitor)))
                        .findFirst()
                        .flatMap(found -> found);
            case SearchQuestion.Analytic _, SearchQuestion.Calibrated _ -> Optional.empty();
        };
    }

    private AutoscalingResponse response(Optional<ScalableInstance> instance) {
        List<GroupResponse> groups = plan.instances();
        GroupResponse last = groups.getLast();
        if (!request.isCalibrated()) {
            notes.add("Cost model analytic has no prediction intervals: the numbers have no ends, and max_replicas is "
                    + WITHOUT_INTERVALS + " times the peak.");
        }
        ScheduleResponse schedule = options.rates().isEmpty() ? null : schedule(instance);
        bounds(instance, schedule);
        if (instance.isPresent()) {
            thresholds(instance.get());
        } else if (groups.size() > 1) {
            notes.add("Prefill and decode instances have no thresholds of their own; counts of both follow from their"
                    + " requests/s in this plan.");
        } else {
            notes.add("The layout of the plan cannot run any more; submit the request again for thresholds.");
        }
        return new AutoscalingResponse(
                AutoscalerFiles.name(request, options),
                options.namespace(),
                plan.device(),
                plan.deployment(),
                last.peak().parallel(),
                last.devicesPerInstance(),
                WireFormat.name(request.costModel()),
                headroom(),
                List.copyOf(parameters),
                schedule,
                new AutoscalerFiles(request, plan, options, parameters).all(),
                List.copyOf(notes));
    }

    private double headroom() {
        return requireNonNullElse(request.headroom(), 0.0);
    }

    /// Adds a number with its ends.
    ///
    /// @param figure value at an end; null if unknown
    private void add(String name, Function<End, @Nullable Double> figure) {
        Double value = figure.apply(End.PREDICTED);
        if (value == null || !Double.isFinite(value)) {
            return;
        }
        Description text = requireNonNull(TEXTS.numbers.get(name), name);
        Double one = figure.apply(End.UNFAVORABLE);
        Double other = figure.apply(End.FAVORABLE);
        parameters.add(new ParameterResponse(
                name,
                value,
                one == null ? null : (Double) Math.min(value, other == null ? one : Math.min(one, other)),
                other == null ? null : (Double) Math.max(value, one == null ? other : Math.max(one, other)),
                text.unit,
                text.formula,
                text.source));
    }

    private void bounds(Optional<ScalableInstance> instance, @Nullable ScheduleResponse schedule) {
        List<Long> least = schedule == null
                ? plan.instances().stream().map(_ -> 1L).toList()
                : IntStream.range(0, plan.instances().size())
                        .mapToObj(group -> schedule.intervals().stream()
                                .mapToLong(one -> one.instances().get(group))
                                .min()
                                .orElse(1))
                        .toList();
        add("min_replicas", predicted(Math.max(1, least.getLast())));
        double peak =
                options.rates().stream().mapToDouble(Rate::requestsPerS).max().orElse(plan.requestsPerS());
        Double worst = instance.flatMap(ScalableInstance::worstRequestsPerS).orElse(null);
        double usual = plan.instances().getLast().mostRequestsPerS();
        long most = worst == null
                ? (long) Math.ceil(WITHOUT_INTERVALS * ScalableInstance.replicas(peak, headroom(), usual))
                : ScalableInstance.replicas(peak, headroom(), worst);
        add(MAX, predicted(Math.max(Math.max(1, least.getLast()), most)));
    }

    /// Highest and target concurrency at an end, and the figures at the highest.
    private record Level(double highest, double target, Load top) {}

    private static @Nullable Level level(ScalableInstance instance, End end) {
        OptionalLong highest = instance.highest(end);
        OptionalLong target = instance.target(end);
        return highest.isEmpty() || target.isEmpty()
                ? null
                : instance.at(highest.getAsLong(), end)
                        .map(top -> new Level(highest.getAsLong(), target.getAsLong(), top))
                        .orElse(null);
    }

    private void thresholds(ScalableInstance instance) {
        Setting setting = instance.setting();
        Map<End, Level> levels = new EnumMap<>(End.class);
        for (End end : End.values()) {
            Level found = level(instance, end);
            if (found != null) {
                levels.put(end, found);
            }
        }
        Function<End, @Nullable Level> level = levels::get;
        Level predicted = requireNonNull(levels.get(End.PREDICTED), "figures of the peak");
        long count = plan.instances().getFirst().count();
        Double ttft = AutoscalerFiles.finite(setting.limits().ttftMillis());
        Double held = setting.heldRequests();

        add("concurrency", value(level, Level::highest));
        add("requests_per_s", end -> switch (end) {
            case PREDICTED -> instance.requestsPerS();
            case UNFAVORABLE -> instance.worstRequestsPerS().orElse(null);
            case FAVORABLE -> part(level.apply(end), one -> one.top.requestsPerS());
        });
        add(TARGET, value(level, Level::target));
        add("pool_saturation", value(level, one -> hundredths(one.target / one.highest)));
        if (held != null) {
            add(CACHE, value(level, one -> Math.clamp(hundredths(one.highest / held), 1 / PERCENT, MOST_CACHE)));
        }
        add(
                "queue_length_threshold",
                ttft == null ? predicted(QUEUE_DEFAULT) : value(level, one -> queued(ttft, one.top, instance)));
        if (ttft != null && ttft - predicted.top.steadyTtftMillis() >= 1) {
            double seconds = (ttft - predicted.top.steadyTtftMillis()) / MILLIS;
            add("request_ttl_ms", value(level, one -> Math.floor(ttft - one.top.steadyTtftMillis())));
            add("max_waiting_requests", predicted(Math.max(1, Math.floor(count * instance.requestsPerS() * seconds))));
        }
        double tokens = setting.inputTokens() + setting.outputTokens();
        add("max_token_concurrency", value(level, one -> Math.floor(one.highest * tokens)));
        if (held != null) {
            Function<Level, Double> used = one -> Math.min(PERCENT, PERCENT * one.target / held);
            add(CACHE_UP, value(level, used));
            add(CACHE_DOWN, value(level, one -> used.apply(one) * (count - 1) / count));
        }
        laws(instance, (long) predicted.highest);
    }

    /// Returns a number without ends.
    private static Function<End, @Nullable Double> predicted(double value) {
        return end -> end == End.PREDICTED ? (Double) value : null;
    }

    /// Returns the prompts that the rest of the TTFT limit has time for.
    private static double queued(double ttft, Load top, ScalableInstance instance) {
        Double alone = top.promptMillis();
        double prompt = alone == null
                ? instance.at(1, End.PREDICTED).map(Load::ttftMillis).orElseThrow()
                : alone;
        return Math.max(1, Math.floor((ttft - top.steadyTtftMillis()) / prompt));
    }

    /// Adds the laws through the loads of one request of each rank and of `C`.
    private void laws(ScalableInstance instance, long highest) {
        Setting setting = instance.setting();
        double input = setting.inputTokens();
        Function<End, @Nullable Line> itl = end -> line(instance, highest, end, Load::tpotMillis);
        Line predicted = itl.apply(End.PREDICTED);
        if (predicted == null) {
            notes.add("The laws need two loads, and C is the smallest one.");
            return;
        }
        add("linear.alpha", value(itl, Line::alpha));
        add("linear.beta", value(itl, Line::beta));
        first("linear.settled.", input, end -> line(instance, highest, end, Load::steadyTtftMillis));
        if (request.isCalibrated()) {
            first("linear.benchmark.", input, end -> line(instance, highest, end, Load::ttftMillis));
        }
        Map<End, Queueing> queueing = new EnumMap<>(End.class);
        Map<End, Throughput> throughput = new EnumMap<>(End.class);
        for (End end : End.values()) {
            Line line = itl.apply(end);
            Double prompt = instance.at(highest, end).map(Load::promptMillis).orElse(null);
            if (line != null && prompt != null) {
                Queueing.of(line, prompt, input, setting.outputTokens()).ifPresent(found -> queueing.put(end, found));
            }
            if (line != null && setting.heldRequests() != null) {
                throughput.put(end, Throughput.of(line, setting.heldRequests()));
            }
        }
        if (!queueing.containsKey(End.PREDICTED)) {
            notes.add("The queueing model has no positive parameters for these figures.");
        }
        add("queueing.alpha", value(queueing::get, Queueing::alpha));
        add("queueing.beta", value(queueing::get, Queueing::beta));
        add("queueing.gamma", value(queueing::get, Queueing::gamma));
        add("throughput.a", value(throughput::get, Throughput::a));
        add("throughput.b", value(throughput::get, Throughput::b));
        long middle = Math.max(1, Math.round(Math.sqrt((double) highest * setting.ranks()) / setting.ranks()))
                * setting.ranks();
        double there = instance.at(middle, End.PREDICTED).orElseThrow().tpotMillis();
        double error = PERCENT * (predicted.at(middle) / there - 1);
        add("linear.error", predicted(error));
        if (Math.abs(error) > LINE_ERROR) {
            notes.add("TPOT is no line: at concurrency " + middle + " the linear law is " + AutoscalerFiles.shown(error)
                    + "% off.");
        }
    }

    /// Adds the law of the time to first token.
    private void first(String name, double input, Function<End, @Nullable Line> line) {
        add(name + "gamma", value(line, Line::alpha));
        add(name + "delta", value(line, one -> one.beta() / input));
    }

    private static <T> Function<End, @Nullable Double> value(Function<End, @Nullable T> law, Function<T, Double> part) {
        return end -> part(law.apply(end), part);
    }

    private static <T> @Nullable Double part(@Nullable T whole, Function<T, Double> part) {
        return whole == null ? null : part.apply(whole);
    }

    private static @Nullable Line line(
            ScalableInstance instance, long highest, End end, Function<Load, Double> figure) {
        Load few = instance.at(1, end).orElse(null);
        Load many = instance.at(highest, end).orElse(null);
        return few == null || many == null
                ? null
                : Line.through(few.concurrency(), figure.apply(few), many.concurrency(), figure.apply(many))
                        .orElse(null);
    }

    /// Returns the instances over time. A replica takes time to start, so each interval has the instances of all
    /// that begin within it.
    private ScheduleResponse schedule(Optional<ScalableInstance> instance) {
        List<Rate> rates = options.rates();
        List<IntervalResponse> intervals = new ArrayList<>();
        double hours = 0;
        double instanceHours = 0;
        double deviceHours = 0;
        double most = 0;
        for (int index = 0; index < rates.size(); index++) {
            Rate rate = rates.get(index);
            double peak = rates.stream()
                    .skip(index)
                    .takeWhile(later -> later.fromSeconds() <= rate.fromSeconds() + options.startS())
                    .mapToDouble(Rate::requestsPerS)
                    .max()
                    .orElse(rate.requestsPerS());
            List<Long> counts = plan.instances().stream()
                    .map(group -> Math.max(1, ScalableInstance.replicas(peak, headroom(), group.mostRequestsPerS())))
                    .toList();
            double devices = IntStream.range(0, counts.size())
                    .mapToDouble(group ->
                            counts.get(group) * plan.instances().get(group).devicesPerInstance())
                    .sum();
            intervals.add(new IntervalResponse(
                    rate.fromSeconds(),
                    rate.requestsPerS(),
                    counts,
                    instance.flatMap(ScalableInstance::worstRequestsPerS)
                            .map(worst -> Math.max(1, ScalableInstance.replicas(peak, headroom(), worst)))
                            .orElse(null)));
            double length = length(rates, index) / HOUR_S;
            hours += length;
            instanceHours += length * counts.stream().mapToLong(Long::longValue).sum();
            deviceHours += length * devices;
            most = Math.max(most, devices);
        }
        Double price = AutoscalerFiles.price(request, plan);
        return new ScheduleResponse(
                intervals,
                instanceHours,
                deviceHours,
                most * hours,
                price == null ? null : (Double) (price * deviceHours),
                price == null ? null : (Double) (price * most * hours));
    }

    /// Returns the seconds of an interval; the last is as long as the one before.
    private static double length(List<Rate> rates, int index) {
        if (rates.size() == 1) {
            return HOUR_S;
        }
        int next = Math.min(index + 1, rates.size() - 1);
        return rates.get(next).fromSeconds() - rates.get(next - 1).fromSeconds();
    }

    /// Returns a share rounded down to hundredths. A share such as 0.29 can be a little less in binary.
    private static double hundredths(double share) {
        return Math.floor(share * PERCENT * (1 + 1e-12)) / PERCENT;
    }
}
