package io.throughputoptimizer.core.calibrated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Found;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.DisaggregatedLaw;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.Silicon;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Pairs of measured instances of several sizes, on kinds of device of their own, with a transfer between them.
class MeasuredPairsTest {
    private static final int MOST_RUNNING = 10;

    static LongStream seeds() {
        return Nightly.seeds(2);
    }

    /// Every number of instances of every pair of sizes at every concurrency, by the law without a transfer.
    @ParameterizedTest
    @MethodSource("seeds")
    void theBestPairIsThatOfAllNumbersAtAllConcurrencies(long seed) {
        Random random = new Random(seed);
        boolean apart = random.nextBoolean();
        List<Integer> prefill = random.nextBoolean() ? List.of(1, 2) : List.of(2, 4);
        List<Integer> decode = random.nextBoolean() ? List.of(1, 2, 4) : List.of(2);
        KvTransferLink transfer = random.nextBoolean() || (decode.size() == 1 && !apart)
                ? new KvTransferLink((1 + random.nextInt(20)) * MemoryFootprint.GIB, random.nextInt(40))
                : null;
        int devices = 6 + random.nextInt(6);
        double limit = 100 + random.nextInt(900);
        Limits limits = new Limits(limit, 8.0 + random.nextInt(30), TtftBasis.BENCHMARK, null);
        Pairing pairing = new Pairing(
                new Instances(prefill, apart ? List.of("H100_SXM") : List.of()),
                new Instances(decode, apart ? List.of("B200_SXM") : List.of()),
                transfer);
        CalibratedProblem each =
                problem(apart ? List.of("H100_SXM", "B200_SXM") : List.of("B200_SXM"), devices, pairing, limits);
        CalibratedProblem problem = random.nextBoolean()
                ? each
                : each.with(AvailableDevices.byKind(Map.of("H100_SXM", 4 + random.nextInt(8), "B200_SXM", devices)));

        CalibratedResult result = CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT);
        Found found = result.devices().getFirst().found();

        double best = 0;
        for (int one : prefill) {
            for (int other : decode) {
                best = Math.max(best, best(problem, one, other, apart));
            }
        }
        assertThat(result.points()).isLessThanOrEqualTo(problem.mostPoints());
        assertThat(found.rows().isEmpty()).isEqualTo(best == 0);
        if (best > 0) {
            assertThat(found.rows().getFirst().at().tokensPerSecondPerDevice().value())
                    .isCloseTo(best, within(best * 1e-9));
        }
        assertThat(found.rows()).hasSizeLessThanOrEqualTo(prefill.size() * decode.size());
        assertThat(found.rows()).allSatisfy(row -> {
            CalibratedPoint at = row.at();
            assertThat(at.ttftMillis().value()).isLessThanOrEqualTo(limit + 1e-9);
            assertThat(at.pair().kinds().shareDevices()).isEqualTo(!apart);
            assertThat(at.pair().handover() == null).isEqualTo(transfer == null);
        });
    }

    private static double best(CalibratedProblem problem, int prefillDevices, int decodeDevices, boolean apart) {
        int forDecode = problem.available().of("B200_SXM");
        int forPrefill = apart ? problem.available().of("H100_SXM") : forDecode;
        PricedInstance prefill = instance(problem, problem.devices().getFirst(), prefillDevices);
        PricedInstance decode = instance(problem, problem.devices().getLast(), decodeDevices);
        double best = 0;
        for (int p = 1; p * prefillDevices <= forPrefill; p++) {
            int left = apart ? forDecode : forDecode - p * prefillDevices;
            for (int d = 1; d * decodeDevices <= left; d++) {
                DisaggregatedLaw law = new DisaggregatedLaw(prefill.workers(p), decode.workers(d), request(), 10, 0);
                for (int concurrency = d; concurrency <= MOST_RUNNING * d; concurrency++) {
                    if (law.at(concurrency) instanceof SteadyFigures figures) {
                        double tokens = tokens(problem, figures);
                        best = Math.max(best, tokens / (p * prefillDevices + d * decodeDevices));
                    }
                }
            }
        }
        return best;
    }

    /// With the transfer; none where a limit is broken. A token of 64 layers with 8 heads of 128 takes 128 KiB in 8
    /// bits.
    private static double tokens(CalibratedProblem problem, SteadyFigures figures) {
        Pairing pairing = problem.instances();
        KvTransferLink transfer = pairing == null ? null : pairing.transfer();
        double moved = 131_072.0 * 1024;
        double handed = transfer == null ? 0 : transfer.latencyMillis() + moved / transfer.bytesPerSecond() * 1000;
        double ttft = figures.ttft().benchmarkMillis() + handed;
        Limits limits = problem.demand().limits();
        boolean kept = (limits.ttftMillis() == null || ttft <= limits.ttftMillis())
                && (limits.tpotMillis() == null || figures.tpotMillis() <= limits.tpotMillis());
        return kept ? 1000 * figures.concurrency() * 512 / (ttft + 512 * figures.tpotMillis()) : 0;
    }

    private static PricedInstance instance(CalibratedProblem problem, CalibratedDevice device, int devices) {
        return PricedInstance.of(
                device.deployment(
                        problem.model(), problem.instanceLayouts(devices).getFirst()),
                device,
                Phase.DECODE,
                problem.terms());
    }

    private static MeanRequest request() {
        return new MeanRequest(1024, 512, 0, null);
    }

    /// The transfer is known, so that only the rest of a time to the first token is as uncertain as ever.
    @Test
    void theBandOfATtftIsMovedByTheTransfer() {
        Limits none = new Limits(null, null, TtftBasis.BENCHMARK, null);
        CalibratedPoint without = only(problem(List.of("B200_SXM"), 4, pairing(null), none));
        CalibratedPoint with =
                only(problem(List.of("B200_SXM"), 4, pairing(new KvTransferLink(MemoryFootprint.GIB, 50)), none));

        // 1024 tokens of 128 KiB are an eighth of a GiB.
        assertThat(with.pair().handover()).isEqualTo(new KvTransferLink.Handover(MemoryFootprint.GIB / 8, 175));
        assertThat(without.pair().handover()).isNull();
        DisaggregatedLaw law = new DisaggregatedLaw(
                instance(problem(List.of("B200_SXM"), 4, pairing(null), none), device("B200_SXM"), 2)
                        .workers(1),
                instance(problem(List.of("B200_SXM"), 4, pairing(null), none), device("B200_SXM"), 2)
                        .workers(1),
                request(),
                10,
                0);
        double ttft = ((SteadyFigures) law.at(with.concurrency())).ttft().benchmarkMillis();
        assertThat(with.ttftMillis().value()).isCloseTo(ttft + 175, within(1e-9));
        Band band = with.ttftMillis().band().orElseThrow();
        Band own = with.bands().ofTtft(ttft).orElseThrow();
        assertThat(band.low()).isCloseTo(own.low() + 175, within(1e-9));
        assertThat(band.high().isPresent()).isEqualTo(own.high().isPresent());
        Band rate = with.tokensPerSecond().band().orElseThrow();
        assertThat(rate.low()).isLessThan(with.tokensPerSecond().value());
        assertThat(rate.high().orElseThrow())
                .isGreaterThan(with.tokensPerSecond().value());
    }

    private static Pairing pairing(@Nullable KvTransferLink transfer) {
        return new Pairing(
                new Instances(List.of(2), List.of("B200_SXM")), new Instances(List.of(2), List.of()), transfer);
    }

    private static CalibratedPoint only(CalibratedProblem problem) {
        List<DeviceRanking> devices =
                CalibratedOptimizer.optimize(problem, SearchMonitor.SILENT).devices();
        assertThat(devices).hasSize(1);
        List<CalibratedRow> rows = devices.getFirst().found().rows();
        assertThat(rows).hasSize(1);
        return rows.getFirst().at();
    }

    private static CalibratedDevice device(String name) {
        return new CalibratedDevice(
                name,
                Silicon.calibration(name.toLowerCase(Locale.ROOT)),
                Silicon.engine("vllm"),
                Precision.of(Scheme.FP8),
                new RankLimits(null, Scheduling.NO_LIMIT, 1),
                null);
    }

    private static CalibratedProblem problem(List<String> names, int devices, Pairing pairing, Limits limits) {
        List<CalibratedDevice> kinds = new ArrayList<>();
        names.forEach(name -> kinds.add(device(name)));
        return new CalibratedProblem(
                Silicon.model("Qwen/Qwen3-32B"),
                kinds,
                AvailableDevices.ofEach(devices),
                pairing,
                new CalibratedSizes(null, null, null),
                new CalibratedDemand(
                        new Traffic(new SpreadLengths(1024, 512, 1), 0, 10, 0, null),
                        limits,
                        new RankBatches(1, MOST_RUNNING),
                        false,
                        null),
                Coverage.NINE_TENTHS,
                ConcurrencySampling.EVERY_SUMMIT);
    }
}
