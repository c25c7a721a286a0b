package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.PhaseResponse.PointResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.PhaseResponse.ShortageResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import io.throughputoptimizer.api.result.figure.FeedbackResponse;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.api.result.figure.SearchStatisticsResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Found;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Rejection;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.explain.Explanation;
import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.workload.Limits;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The answer of cost model `calibrated`, as it is sent, stored and turned into reports.
public final class CalibratedResponses {
    static final String STEADY = "steady";
    private static final double NANOS_PER_MILLI = 1e6;

    private CalibratedResponses() {}

    /// Problem and device of rows.
    record Asked(CalibratedProblem problem, String device) {
        /// Returns the correction of the device's figures.
        @Nullable
        CalibrationPosterior correction() {
            return problem.devices().stream()
                    .filter(known -> known.name().equals(device))
                    .findFirst()
                    .map(CalibratedDevice::correction)
                    .orElse(null);
        }

        @Nullable
        ObjectiveResponse objective(CalibratedPoint at) {
            Objective objective = problem.demand().objective();
            return objective == null ? null : ObjectiveResponse.uncertain(objective, at.achieved(objective, device));
        }
    }

    /// Maps what the search found.
    ///
    /// @param elapsed how long it took
    /// @param explanation of it, if that was asked for
    public static ResultResponse from(CalibratedResult result, Duration elapsed, @Nullable Explanation explanation) {
        CalibratedProblem problem = result.problem();
        return new ResultResponse(
                ResultResponse.VERSION,
                STEADY,
                result.devices().stream().map(device -> device(device, problem)).toList(),
                null,
                result.devices().size() > 1 ? List.of(CrossHardwareResponse.from(result)) : null,
                new SearchStatisticsResponse(
                        Math.toIntExact(problem.candidates()),
                        result.points(),
                        0,
                        elapsed.toNanos() / NANOS_PER_MILLI,
                        result.simulations() == 0 ? null : result.simulations(),
                        null,
                        problem.scan() == ConcurrencySampling.EVERY_SUMMIT ? null : sampled(problem)),
                null,
                problem.coverage().share(),
                explanation == null ? null : ExplanationResponse.from(explanation, pointers(problem)));
    }

    private static LeverPointers pointers(CalibratedProblem problem) {
        return new LeverPointers(
                problem.instances() == null || problem.instances().namesNoKinds() ? problem.deviceNames() : List.of(),
                problem.demand().limits(),
                true,
                problem.devices().size() == 1);
    }

    private static DeviceResponse device(DeviceRanking result, CalibratedProblem problem) {
        Asked asked = new Asked(problem, result.device().name());
        Found found = result.found();
        CalibratedDevice decodes = result.decodeDevice();
        boolean pairs = problem.instances() != null;
        return new DeviceResponse(
                        result.label(),
                        problem.available().of(result.device().name()),
                        ResultResponse.ofDecode(result, problem),
                        pairs ? phases(found, problem) : List.of(aggregation(found, asked)),
                        pairs ? ratio(found, asked) : null,
                        CalibrationResponse.from(
                                decodes == null
                                        ? List.of(result.device().calibration())
                                        : List.of(result.device().calibration(), decodes.calibration()),
                                result.device().engine(),
                                result.unexpectedUses()),
                        EngineRequest.of(problem.serving(result.device())),
                        result.device().precision().scheme())
                .with(FeedbackResponse.of(result.device().learnt()));
    }

    private static PhaseResponse aggregation(Found found, Asked asked) {
        List<RowResponse> rows = IntStream.range(0, found.rows().size())
                .mapToObj(index -> row(
                        found.rows().get(index),
                        index + 1,
                        asked,
                        found.rows().get(index).at().ofRank(),
                        index == 0
                                ? promise(found.rows(), asked)
                                : found.rows().get(index).unreliable()))
                .toList();
        return new PhaseResponse(
                        PhaseName.AGGREGATION,
                        rows.isEmpty() ? null : rows.getFirst(),
                        rows,
                        rejected(found, asked.problem, _ -> true),
                        points(found, asked.problem.demand().limits()),
                        found.omittedPoints() == 0 ? null : found.omittedPoints())
                .withInstances();
    }

    /// Layouts without a row by the phase that stands in the way; what is about pairs is listed with decode.
    private static List<PhaseResponse> phases(Found found, CalibratedProblem problem) {
        return List.of(
                new PhaseResponse(
                        PhaseName.PREFILL,
                        null,
                        List.of(),
                        rejected(found, problem, one -> one instanceof InstanceLayout.Side side && !side.decodes()),
                        List.of(),
                        null),
                new PhaseResponse(
                        PhaseName.DECODE,
                        null,
                        List.of(),
                        Stream.concat(
                                        rejected(
                                                found,
                                                problem,
                                                one -> one instanceof InstanceLayout.Side side && side.decodes())
                                                .stream(),
                                        rejected(found, problem, InstanceLayout.Pair.class::isInstance).stream())
                                .toList(),
                        points(found, problem.demand().limits()),
                        found.omittedPoints() == 0 ? null : found.omittedPoints()));
    }

    private static List<PointResponse> points(Found found, Limits limits) {
        return found.points().stream()
                .map(point -> PointResponse.from(point, limits))
                .toList();
    }

    /// @param of which arrangements are meant
    private static List<RejectedResponse> rejected(
            Found found, CalibratedProblem problem, Predicate<InstanceLayout> of) {
        Double percentile = problem.demand().limits().percentile();
        return found.rejections().stream()
                .filter(rejection -> of.test(rejection.arrangement()))
                .map(rejection -> CalibratedRejections.of(rejection, percentile))
                .toList();
    }

    private static PdRatioResponse ratio(Found found, Asked asked) {
        List<CalibratedRow> rows = found.rows();
        return PdRatioResponse.of(
                IntStream.range(0, rows.size())
                        .mapToObj(index -> PdRatioRowResponse.from(rows.get(index), index + 1, asked))
                        .toList(),
                0);
    }

    /// Absent where each request has its own.
    static @Nullable Integer named(OptionalInt length) {
        return length.isPresent() ? (Integer) length.getAsInt() : null;
    }

    private static String sampled(CalibratedProblem problem) {
        return "concurrencies in steps of a quarter, the largest within the limits, and those around the best two of"
                + " these, of each "
                + (problem.instances() == null ? "layout" : "pair of layouts in all numbers of instances")
                + "; more would be beyond the points that a search may try";
    }

    static RowResponse row(CalibratedRow row, @Nullable Integer rank, Asked asked) {
        return row(row, rank, asked, row.at().ofRank(), row.unreliable());
    }

    /// The best of what is set back for wide bands; absent where the first row is better.
    private static @Nullable CalibratedPoint promise(List<CalibratedRow> rows, Asked asked) {
        ToDoubleFunction<CalibratedPoint> order =
                point -> asked.problem.ranking().order(point.delivered(asked.device));
        double first = order.applyAsDouble(rows.getFirst().at());
        return rows.stream()
                .flatMap(row -> Stream.of(row.at(), row.unreliable()))
                .filter(point -> point != null && order.applyAsDouble(point) < first)
                .min(Comparator.comparingDouble(order))
                .orElse(null);
    }

    /// @param mostOfRank requests of a rank that it was searched up to
    /// @param promise the best of what is set back for its wide band; absent where that is no better
    static RowResponse row(
            CalibratedRow row,
            @Nullable Integer rank,
            Asked asked,
            double mostOfRank,
            @Nullable CalibratedPoint promise) {
        CalibratedProblem problem = asked.problem;
        CalibratedPoint at = row.at();
        CalibratedInstances.Replicas replicas = at.replicas();
        MeanRequest request = problem.demand().traffic().mean(at.figures());
        int budget = replicas.deployment().engine().settings().scheduling().tokenBudget();
        RequestLengths lengths = problem.demand().traffic().lengths();
        int computed = (int) Math.ceil(request.newTokens());
        return new RowResponse(
                rank,
                ParallelResponse.from(replicas.deployment()),
                at.ofRank(),
                at.concurrency(),
                at.ttftMillis().value(),
                at.tpotMillis().value(),
                at.tokensPerSecond().value(),
                at.tokensPerSecondPerDevice().value(),
                at.requestsPerSecond().value(),
                at.sustainedRequestsPerS(),
                named(lengths.namedInput()),
                named(lengths.namedOutput()),
                computed,
                budget,
                Math.ceilDiv(computed, budget),
                null,
                BreakdownResponse.percent(row.steps().prefill()),
                BreakdownResponse.percent(row.steps().decode()),
                MemoryResponse.from(row, lengths),
                null,
                null,
                null,
                null,
                null,
                null,
                RequestLatencyResponse.of(at, problem.demand().limits()),
                FigureBandsResponse.from(at, asked.correction()),
                SteadyRowResponse.from(at, replicas.count(), RowSimulationResponse.from(row, problem))
                        .with(SpeculationResponse.of(row)),
                ConversationsResponse.of(at.figures().kept(), at.instances().shares()),
                asked.objective(at),
                BindingName.of(row.binds()),
                RowWarnings.of(row, rank, problem.demand(), mostOfRank, promise));
    }

    /// Descriptions of rejected layouts of the calibrated model.
    static final class CalibratedRejections {
        private CalibratedRejections() {}

        /// @param percentile that limits are on; absent where they are on means
        static RejectedResponse of(Rejection rejection, @Nullable Double percentile) {
            return switch (rejection) {
                case Impossible(InstanceLayout arrangement, String reason) ->
                    new RejectedResponse(parallel(arrangement), "model", null, reason);
                case BrokenLimits(var arrangement, int concurrency, var breaches, var memory) -> {
                    Breach first = breaches.getFirst();
                    yield new RejectedResponse(
                            parallel(arrangement),
                            WireFormat.name(CalibratedBinds.of(first)),
                            arrangement instanceof InstanceLayout.Pair ? null : (Long) (long) concurrency,
                            (memory == null
                                            ? LimitBreach.description(first, percentile)
                                            : LimitBreach.shortage(
                                                    memory.deviceBytes(),
                                                    memory.weightBytes(),
                                                    memory.engineBytes(),
                                                    memory.requestBytes()))
                                    + numbers(arrangement, concurrency),
                            memory == null ? null : ShortageResponse.from(memory),
                            first.value() / first.allowed());
                }
            };
        }

        private static ParallelResponse parallel(InstanceLayout arrangement) {
            return switch (arrangement) {
                case InstanceLayout.Equal(var form) -> ParallelResponse.from(form);
                case InstanceLayout.Side(var form, var _) -> ParallelResponse.from(form);
                case InstanceLayout.Pair(var _, var decode, var _) -> ParallelResponse.from(decode);
            };
        }

        /// Describes the prefill layout that feeds a decode layout, and the numbers of instances. The lowest
        /// concurrency is one of all instances, not a batch size.
        private static String numbers(InstanceLayout arrangement, int concurrency) {
            return arrangement instanceof InstanceLayout.Pair(var prefill, var _, InstanceCounts counts)
                    ? "; " + counts.prefill() + " x "
                            + prefill.label() + " feed " + counts.decode() + " at concurrency "
                            + concurrency
                    : "";
        }
    }
}
