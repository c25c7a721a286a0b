package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredPoint;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredResult;
import io.throughputoptimizer.core.measured.MeasuredResult.DeviceRanking;
import io.throughputoptimizer.core.measured.MeasuredResult.Pairs;
import io.throughputoptimizer.core.measured.MeasuredResult.Replicas;
import io.throughputoptimizer.core.measured.MeasuredRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Kinds of measured devices by their best row, as rows are ranked.
final class MeasuredComparison {
    private MeasuredComparison() {}

    /// @param wide whether its bands are, which puts it behind those whose are not
    /// @param order that it is ranked by
    /// @param row its best, given its place
    private record Best(boolean wide, double order, IntFunction<RankedResponse> row) {}

    static CrossHardwareResponse of(MeasuredResult result) {
        MeasuredProblem problem = result.problem();
        List<Best> best = result.devices().stream()
                .flatMap(device -> best(device, problem))
                .sorted(Comparator.comparing(Best::wide).thenComparingDouble(Best::order))
                .toList();
        List<RankedResponse> rows = new ArrayList<>();
        best.forEach(one -> rows.add(one.row.apply(rows.size() + 1)));
        return new CrossHardwareResponse(
                problem.instances() == null ? PhaseName.AGGREGATION.wireName() : CrossHardwareResponse.PD_RATIO, rows);
    }

    private static Stream<Best> best(DeviceRanking ranking, MeasuredProblem problem) {
        String device = ranking.label();
        return switch (ranking.found()) {
            case Replicas replicas ->
                replicas.rows().stream()
                        .limit(1)
                        .map(row -> new Best(
                                row.at().bands().isWide(),
                                problem.ranking().order(row.at().delivered(device)),
                                rank -> ranked(rank, row, new MeasuredResponses.Asked(problem, device))));
            case Pairs pairs ->
                pairs.rows().stream()
                        .limit(1)
                        .map(row -> new Best(
                                row.at().bands().isWide(),
                                problem.ranking().order(row.at().delivered(device)),
                                rank -> new RankedPairResponse(
                                        device,
                                        problem.available().of(ranking.device().name()),
                                        ofDecode(ranking, problem),
                                        PdRatioRowResponse.from(
                                                row, rank, new MeasuredResponses.Asked(problem, device)))));
        };
    }

    private static @Nullable Integer ofDecode(DeviceRanking ranking, MeasuredProblem problem) {
        MeasuredDevice decode = ranking.decodeDevice();
        return decode == null
                ? null
                : ResultResponse.ofDecode(problem.available(), ranking.device().name(), decode.name());
    }

    private static RankedDeviceResponse ranked(int rank, MeasuredRow found, MeasuredResponses.Asked asked) {
        MeasuredPoint row = found.at();
        return new RankedDeviceResponse(
                rank,
                asked.device(),
                asked.problem().available().of(asked.device()),
                ParallelResponse.from(row.deployment().layout()),
                row.rankConcurrency(),
                (long) row.rankConcurrency() * row.ranks(),
                row.ttftMillis().value(),
                row.tpotMillis().value(),
                row.tokensPerSecond().value(),
                row.tokensPerSecondPerDevice().value(),
                row.requestsPerSecond().value(),
                row.sustainedQps(),
                FigureBandsResponse.from(row),
                asked.objective(row),
                RowWarnings.of(found, rank, asked.problem().demand(), found.at().rankConcurrency()));
    }
}
