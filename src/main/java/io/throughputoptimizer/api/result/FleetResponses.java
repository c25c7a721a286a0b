package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.ResultResponse.StatisticsResponse;
import io.throughputoptimizer.core.fleet.FleetProblem;
import io.throughputoptimizer.core.fleet.FleetResult;
import io.throughputoptimizer.core.fleet.FleetResult.BrokenLimits;
import io.throughputoptimizer.core.fleet.FleetResult.DeviceRanking;
import io.throughputoptimizer.core.fleet.FleetResult.Impossible;
import io.throughputoptimizer.core.fleet.FleetResult.Rejection;
import io.throughputoptimizer.core.fleet.FleetRow;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/// The answer of cost model `calibrated`, as it is sent, stored and turned into reports.
public final class FleetResponses {
    private static final String STEADY = "steady";
    private static final double NANOS_PER_MILLI = 1e6;

    private FleetResponses() {}

    private record Best(DeviceRanking device, FleetRow row) {}

    /// Maps what the search found.
    ///
    /// @param elapsed how long it took
    public static ResultResponse from(FleetResult result, Duration elapsed) {
        FleetProblem problem = result.problem();
        int candidates = problem.layouts().size() * problem.devices().size();
        return new ResultResponse(
                ResultResponse.VERSION,
                STEADY,
                result.devices().stream().map(device -> device(device, problem)).toList(),
                null,
                result.devices().size() > 1 ? List.of(ranking(result)) : null,
                new StatisticsResponse(candidates, result.points(), 0, elapsed.toNanos() / NANOS_PER_MILLI),
                null,
                problem.coverage().share());
    }

    private static DeviceResponse device(DeviceRanking result, FleetProblem problem) {
        List<RowResponse> rows = IntStream.range(0, result.rows().size())
                .mapToObj(index -> row(result.rows().get(index), index + 1, problem))
                .toList();
        PhaseResponse phase = new PhaseResponse(
                PhaseName.AGGREGATION,
                rows.isEmpty() ? null : rows.getFirst(),
                rows,
                result.rejections().stream().map(FleetResponses::rejected).toList(),
                List.of(),
                null);
        return new DeviceResponse(
                result.device().name(),
                problem.deviceCount(),
                List.of(phase),
                null,
                CalibrationResponse.from(
                        result.device().calibration(), result.device().engine(), result.unexpectedUses()));
    }

    private static RowResponse row(FleetRow row, int rank, FleetProblem problem) {
        MeanRequest request = problem.demand().traffic().mean();
        int budget = row.deployment().engine().scheduling().tokenBudget();
        int input = problem.demand().traffic().lengths().inputTokens();
        int computed = (int) Math.ceil(request.newTokens());
        return new RowResponse(
                rank,
                ParallelResponse.from(row.deployment().layout()),
                row.rankConcurrency(),
                (long) row.rankConcurrency() * row.ranks(),
                row.ttftMillis().value(),
                row.tpotMillis().value(),
                row.tokensPerSecond().value(),
                row.tokensPerSecondPerDevice().value(),
                row.requestsPerSecond().value(),
                input,
                problem.demand().traffic().lengths().outputTokens(),
                computed,
                budget,
                Math.ceilDiv(computed, budget),
                null,
                BreakdownResponse.percent(row.steps().prefill()),
                BreakdownResponse.percent(row.steps().decode()),
                MemoryResponse.from(row, request),
                null,
                null,
                null,
                null,
                null,
                FigureBandsResponse.from(row),
                SteadyRowResponse.from(row));
    }

    private static RejectedResponse rejected(Rejection rejection) {
        ParallelResponse parallel = ParallelResponse.from(rejection.layout());
        return switch (rejection) {
            case Impossible impossible -> new RejectedResponse(parallel, "model", null, impossible.reason());
            case BrokenLimits(var _, int concurrency, List<Breach> breaches) -> {
                Breach first = breaches.getFirst();
                yield new RejectedResponse(parallel, reason(first), (long) concurrency, detail(first));
            }
        };
    }

    private static String reason(Breach breach) {
        return switch (breach.limit()) {
            case KV_TOKENS -> "memory";
            case TTFT_MILLIS, REQUEST_RATE -> "ttft";
            case TPOT_MILLIS -> "tpot";
        };
    }

    private static String detail(Breach breach) {
        return switch (breach.limit()) {
            case KV_TOKENS ->
                "a request needs " + whole(breach.value()) + " tokens of KV cache, and a rank has "
                        + whole(Math.max(0, breach.allowed()));
            case TTFT_MILLIS -> new LimitBreach.TtftExceeded(breach.value(), breach.allowed()).description();
            case TPOT_MILLIS -> new LimitBreach.TpotExceeded(breach.value(), breach.allowed()).description();
            case REQUEST_RATE -> throw new IllegalStateException("no rate was asked for: " + breach);
        };
    }

    private static String whole(double tokens) {
        return Decimals.fixed(tokens, 0);
    }

    private static CrossHardwareResponse ranking(FleetResult result) {
        List<Best> best = result.devices().stream()
                .filter(device -> !device.rows().isEmpty())
                .map(device -> new Best(device, device.rows().getFirst()))
                .sorted(Comparator.comparingDouble(
                        one -> -one.row().tokensPerSecond().value()))
                .toList();
        List<RankedResponse> rows = new ArrayList<>();
        best.forEach(
                one -> rows.add(ranked(rows.size() + 1, one, result.problem().deviceCount())));
        return new CrossHardwareResponse(PhaseName.AGGREGATION.wireName(), rows);
    }

    private static RankedDeviceResponse ranked(int rank, Best best, int devices) {
        FleetRow row = best.row();
        return new RankedDeviceResponse(
                rank,
                best.device().device().name(),
                devices,
                ParallelResponse.from(row.deployment().layout()),
                row.rankConcurrency(),
                (long) row.rankConcurrency() * row.ranks(),
                row.ttftMillis().value(),
                row.tpotMillis().value(),
                row.tokensPerSecond().value(),
                row.tokensPerSecondPerDevice().value(),
                row.requestsPerSecond().value(),
                FigureBandsResponse.from(row));
    }
}
