package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.PhaseResponse.PointResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// Made-up curves that bend as real ones do: `TPOT = 20 + batch / tp` ms and `concurrency / TPOT * 1000` tokens per
/// second, under a TPOT limit of 50 ms.
public final class CurveFixture {
    static final double LIMIT = 50;
    private static final long[] BATCHES = {1, 8, 16, 32, 64, 128, 200, 256};

    private CurveFixture() {}

    public static Findings findings() {
        SampleRow best = new SampleRow(1, SampleRow.dense(8, 1), 200, 900.0, 45.0, 200 / 45.0 * 1000);
        return SampleFindings.findings(
                SampleFindings.limits(null, LIMIT),
                SampleFindings.device(
                        "TEST_DEVICE",
                        8,
                        SampleFindings.phase(PhaseName.AGGREGATION, List.of(best), List.of(), points().toList())));
    }

    private static Stream<PointResponse> points() {
        return Stream.of(8, 4, 2).flatMap(tp -> LongStream.of(BATCHES).mapToObj(batch -> point(tp, batch)));
    }

    private static PointResponse point(int tp, long batch) {
        int dp = 8 / tp;
        double tpot = 20 + batch / (double) tp;
        long concurrency = batch * dp;
        return new PointResponse(
                SampleRow.dense(tp, dp), batch, concurrency, 900.0, tpot, concurrency / tpot * 1000, tpot <= LIMIT);
    }
}
