package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.core.fleet.FleetProblem;
import io.throughputoptimizer.core.fleet.FleetResult;
import io.throughputoptimizer.core.fleet.FleetResult.Pairs;
import io.throughputoptimizer.core.fleet.FleetResult.Replicas;
import io.throughputoptimizer.core.fleet.FleetRow;
import io.throughputoptimizer.core.fleet.PairRow;
import io.throughputoptimizer.core.fleet.ServedRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Kinds of measured devices by their best row, the most tokens per second first; of instances apart, which may leave
/// devices idle, those per device that works.
final class FleetComparison {
    private static final Comparator<Best> MOST_TOKENS_FIRST = Comparator.comparingDouble(best -> -switch (best.row) {
        case FleetRow row -> row.tokensPerSecond().value();
        case PairRow row -> row.tokensPerSecondPerDevice().value();
    });

    private FleetComparison() {}

    private record Best(String device, ServedRow row) {}

    static CrossHardwareResponse of(FleetResult result) {
        List<Best> best = result.devices().stream()
                .flatMap(device -> first(device.found())
                        .map(row -> new Best(device.device().name(), row)))
                .sorted(MOST_TOKENS_FIRST)
                .toList();
        List<RankedResponse> rows = new ArrayList<>();
        best.forEach(one -> rows.add(ranked(rows.size() + 1, one, result.problem())));
        return new CrossHardwareResponse(
                result.problem().instances() == null
                        ? PhaseName.AGGREGATION.wireName()
                        : CrossHardwareResponse.PD_RATIO,
                rows);
    }

    private static Stream<? extends ServedRow> first(FleetResult.Found found) {
        return switch (found) {
            case Replicas(var rows, var _) -> rows.stream().limit(1);
            case Pairs pairs -> pairs.rows().stream().limit(1);
        };
    }

    private static RankedResponse ranked(int rank, Best best, FleetProblem problem) {
        return switch (best.row) {
            case FleetRow row -> ranked(rank, best.device, row, problem.deviceCount());
            case PairRow row ->
                new RankedPairResponse(
                        best.device,
                        problem.deviceCount(),
                        PdRatioRowResponse.from(
                                row, rank, problem.demand().traffic().mean()));
        };
    }

    private static RankedDeviceResponse ranked(int rank, String device, FleetRow row, int devices) {
        return new RankedDeviceResponse(
                rank,
                device,
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
