package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse.DefaultFigureResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Figures of the best plan of each kind of device, as assumed and with the engine's defaults.
///
/// @param assumed the answer
/// @param byDefault that to the same question with the engine's defaults
record DefaultFigures(ResultResponse assumed, ResultResponse byDefault) {
    private static final String TOKENS = "tokens_per_s";
    private static final String TOKENS_PER_DEVICE = "tokens_per_s_per_device";
    private static final String PAIR = "balanced_requests_per_s";
    private static final String DEVICES = "num_devices";
    private static final String PER_USER = "tokens_per_s_per_user";
    private static final String COST = "cost_per_million_tokens";
    private static final double PERCENT = 100;
    private static final double TOLD_FROM = 0.05;

    /// A figure of a plan.
    ///
    /// @param leastTold share by which it must differ
    private record Figure(
            String name, @Nullable PhaseName phase, double leastTold, Function<Side, @Nullable Double> value) {}

    /// A kind of device in one of both answers.
    private record Side(ResultResponse result, DeviceResponse device) {
        Optional<RowResponse> best(PhaseName phase) {
            return device.phases().stream()
                    .filter(one -> one.phase() == phase)
                    .findFirst()
                    .map(PhaseResponse::best);
        }

        Optional<PdRatioRowResponse> pair() {
            return Optional.ofNullable(device.pdRatio()).map(PdRatioResponse::best);
        }

        Optional<DeploymentResponse> deployment() {
            return Optional.ofNullable(result.capacity())
                    .flatMap(capacity -> capacity.rows().stream()
                            .filter(row -> row.device().equals(device.device()))
                            .findFirst());
        }
    }

    /// Returns the figures of a kind of device that differ enough to be shown.
    ///
    /// @param index its place in both answers
    List<DefaultFigureResponse> of(int index) {
        Side now = new Side(assumed, assumed.devices().get(index));
        Side then = new Side(byDefault, byDefault.devices().get(index));
        boolean asMany = devicesUsed(now).equals(devicesUsed(then));
        return figures(now).stream()
                .filter(figure -> !(asMany && figure.name.equals(TOKENS_PER_DEVICE)))
                .flatMap(figure -> told(figure, figure.value.apply(now), figure.value.apply(then)).stream())
                .toList();
    }

    /// Returns the devices of a pair; absent if figures per device say the same.
    private static Optional<Integer> devicesUsed(Side side) {
        return side.pair().map(PdRatioRowResponse::load).map(SteadyPairResponse::devicesUsed);
    }

    /// Returns whether any plan of a kind of device is feasible, as assumed or by default.
    boolean hasPlan(int index) {
        return Stream.of(assumed, byDefault)
                .map(answer -> new Side(answer, answer.devices().get(index)))
                .anyMatch(side -> figures(side).stream().anyMatch(figure -> figure.value.apply(side) != null));
    }

    private static List<Figure> figures(Side side) {
        if (side.result.capacity() != null) {
            return List.of(new Figure(
                    DEVICES,
                    null,
                    0,
                    one -> one.deployment()
                            .map(row -> (double) row.numDevices())
                            .orElse(null)));
        }
        if (side.device.pdRatio() != null) {
            return List.of(
                    new Figure(
                            TOKENS,
                            null,
                            TOLD_FROM,
                            one -> one.pair()
                                    .map(PdRatioRowResponse::load)
                                    .map(SteadyPairResponse::tokensPerS)
                                    .orElse(null)),
                    new Figure(
                            TOKENS_PER_DEVICE,
                            null,
                            TOLD_FROM,
                            one -> one.pair()
                                    .map(PdRatioRowResponse::load)
                                    .map(SteadyPairResponse::tokensPerSPerDevice)
                                    .orElse(null)),
                    new Figure(
                            PAIR,
                            null,
                            TOLD_FROM,
                            one -> one.pair()
                                    .filter(pair ->
                                            pair.load() == null || pair.load().devicesUsed() == null)
                                    .map(PdRatioRowResponse::balancedRequestsPerS)
                                    .orElse(null)),
                    objective(PER_USER, null, one -> one.pair().map(PdRatioRowResponse::objective)),
                    objective(COST, null, one -> one.pair().map(PdRatioRowResponse::objective)));
        }
        List<Figure> figures = new ArrayList<>();
        for (PhaseResponse phase : side.device.phases()) {
            PhaseName name = phase.phase();
            figures.add(new Figure(
                    TOKENS,
                    name,
                    TOLD_FROM,
                    one -> one.best(name).map(RowResponse::tokensPerS).orElse(null)));
            figures.add(objective(PER_USER, name, one -> one.best(name).map(RowResponse::objective)));
            figures.add(objective(COST, name, one -> one.best(name).map(RowResponse::objective)));
        }
        return figures;
    }

    /// Returns the objective if it has this name.
    private static Figure objective(
            String name, @Nullable PhaseName phase, Function<Side, Optional<ObjectiveResponse>> objective) {
        return new Figure(
                name,
                phase,
                TOLD_FROM,
                one -> objective
                        .apply(one)
                        .filter(ranked -> ranked.name().equals(name))
                        .map(ObjectiveResponse::value)
                        .orElse(null));
    }

    private static Optional<DefaultFigureResponse> told(
            Figure figure, @Nullable Double assumed, @Nullable Double byDefault) {
        if (assumed == null && byDefault == null) {
            return Optional.empty();
        }
        Double difference = assumed == null || byDefault == null || assumed == 0
                ? null
                : (Double) ((byDefault - assumed) / assumed);
        return difference != null && Math.abs(difference) <= figure.leastTold
                ? Optional.empty()
                : Optional.of(new DefaultFigureResponse(
                        figure.name,
                        figure.phase,
                        assumed,
                        byDefault,
                        difference == null ? null : (Double) (PERCENT * difference)));
    }

    /// Describes the figures of a kind of device, after a clause that names the difference.
    ///
    /// @param index place of the kind of device in both answers
    String words(int index) {
        List<DefaultFigureResponse> told = of(index);
        if (told.isEmpty()) {
            return hasPlan(index)
                    ? ", which changes no figure of the best plan by more than 5%"
                    : ", with which no plan is feasible either";
        }
        return ": " + told.stream().map(DefaultFigures::words).distinct().collect(Collectors.joining(", and "));
    }

    private static String words(DefaultFigureResponse one) {
        String instance = one.phase() == null || one.phase() == PhaseName.AGGREGATION
                ? ""
                : one.phase().wireName() + " instance";
        Double value = one.engineDefault();
        if (value == null) {
            return instance.isEmpty() ? "no plan is feasible" : "no " + instance + " is feasible";
        }
        String told = figure(one.figure(), value) + (instance.isEmpty() ? "" : " of a " + instance);
        Double difference = one.differencePercent();
        if (difference == null) {
            return told + ", while no plan is feasible as assumed";
        }
        return one.figure().equals(DEVICES)
                ? told + " instead of " + Decimals.grouped(requireNonNull(one.assumed()), 0)
                : told + ", " + Decimals.fixed(Math.abs(difference), 1) + (difference < 0 ? "% less" : "% more");
    }

    private static String figure(String name, double value) {
        return switch (name) {
            case DEVICES -> Decimals.grouped(value, 0) + " devices";
            case TOKENS -> Decimals.grouped(value, 1) + " tokens/s";
            case TOKENS_PER_DEVICE -> Decimals.grouped(value, 1) + " tokens/s per device";
            case PAIR -> Decimals.grouped(value, 2) + " requests/s of a pair";
            case PER_USER -> Decimals.grouped(value, 2) + " tokens/s per user";
            default -> Decimals.general(value) + " per million tokens";
        };
    }
}
