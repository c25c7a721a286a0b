package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse.AvailableResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.api.result.figure.RequestLatencyResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Description of the best pair of prefill and decode instances.
final class BestPair {
    private BestPair() {}

    static List<Fact> facts(PairLine pair, boolean calibrated) {
        PdRatioRowResponse row = pair.row();
        return Stream.of(
                        calibrated ? measured(pair) : row.kinds() == null ? ratio(row) : counts(pair),
                        calibrated ? List.<Fact>of() : wholeAnswer(row),
                        Objectives.best(row.objective()).stream().toList(),
                        PhaseSummary.kept(row.conversations()).stream().toList(),
                        onDevices(row))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Fact> measured(PairLine pair) {
        return List.of(
                new Fact("PD Ratio", pair.instances() + " (P Instance:D Instance)"),
                new Fact("Throughput per device", banded(PairColumns.THROUGHPUT_PER_DEVICE, pair, "tokens/s")),
                new Fact("Throughput", banded(PairColumns.THROUGHPUT, pair, "tokens/s")),
                new Fact("TTFT", banded(PairColumns.TTFT, pair, "ms") + Transfers.words(pair.row())),
                new Fact("TPOT", banded(PairColumns.TPOT, pair, "ms")));
    }

    private static List<Fact> wholeAnswer(PdRatioRowResponse row) {
        RequestLatencyResponse latency = row.load() == null ? null : row.load().requestLatency();
        return latency == null || latency.e2eLatencyMs() == null
                ? List.of()
                : List.of(new Fact("Request Latency", Decimals.fixed(latency.e2eLatencyMs(), 2) + " ms"));
    }

    private static String banded(Column<PairLine> column, PairLine pair, String unit) {
        return requireNonNull(column.banded(pair), "a pair of measured devices has bands")
                .text(unit);
    }

    private static List<Fact> ratio(PdRatioRowResponse row) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("PD Ratio", Decimals.fixed(row.pdRatio(), 2) + " (P Instance:D Instance)"));
        facts.add(new Fact("Prefill QPS", prefill(row)));
        // Set so that both rates stand below each other.
        facts.add(new Fact("Decode QPS", " " + decode(row)));
        if (row.prefillInstances() != null && row.decodeInstances() != null) {
            facts.add(count("P Instances", row.prefillInstances(), row.prefillDevices()));
            facts.add(count("D Instances", row.decodeInstances(), row.decodeDevices()));
        }
        return facts;
    }

    private static String prefill(PdRatioRowResponse row) {
        return "%s req/s  (TTFT: %s ms, Parallel: %s, Batch: %s, Concurrency: %s)"
                .formatted(
                        fixed(row.prefillRequestsPerS()),
                        fixed(together(row).ttftMs()),
                        row.prefillParallel().label(),
                        row.prefillBatchSize(),
                        row.prefillConcurrency());
    }

    private static String decode(PdRatioRowResponse row) {
        return "%s req/s  (TPOT: %s ms, Parallel: %s, Batch: %s, Concurrency: %s)"
                .formatted(
                        fixed(row.decodeRequestsPerS()),
                        fixed(together(row).tpotMs()),
                        row.decodeParallel().label(),
                        row.decodeBatchSize(),
                        row.decodeConcurrency());
    }

    private static String fixed(@Nullable Double figure) {
        return Decimals.fixed(requireNonNull(figure, "a pair of cost model analytic has all its figures"), 2);
    }

    private static Fact count(String label, int instances, int devices) {
        return new Fact(label, instances + " (" + (long) instances * devices + " devices)");
    }

    private static List<Fact> counts(PairLine pair) {
        PdRatioRowResponse row = pair.row();
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Instances", pair.instances() + " (P Instance:D Instance)"));
        facts.add(new Fact(
                "QPS per device", Decimals.fixed(requireNonNull(kinds(row).requestsPerSPerDevice()), 4)));
        facts.add(new Fact(
                "QPS",
                Decimals.fixed(requireNonNull(together(row).requestsPerS()), 2) + " req/s on "
                        + together(row).devicesUsed() + " devices"));
        facts.add(new Fact(
                "TTFT", Decimals.fixed(requireNonNull(together(row).ttftMs()), 2) + " ms" + Transfers.words(row)));
        facts.add(new Fact(
                "Prefill",
                side(row.prefillInstances(), row.prefillDevices(), kinds(row).prefillDevice()) + ", Parallel: "
                        + row.prefillParallel().label() + ", Batch: " + row.prefillBatchSize()));
        facts.add(new Fact(
                "Decode",
                side(row.decodeInstances(), row.decodeDevices(), kinds(row).decodeDevice()) + ", Parallel: "
                        + row.decodeParallel().label() + ", Batch: " + row.decodeBatchSize() + ", TPOT: "
                        + Decimals.fixed(requireNonNull(together(row).tpotMs()), 2) + " ms"));
        return facts;
    }

    private static PairKindsResponse kinds(PdRatioRowResponse row) {
        return requireNonNull(row.kinds(), "a pair in numbers of instances has its kinds");
    }

    private static SteadyPairResponse together(PdRatioRowResponse row) {
        return requireNonNull(row.load(), "a pair in numbers of instances says what they deliver together");
    }

    private static String side(@Nullable Integer instances, int devices, @Nullable String device) {
        return instances + " of " + devices + " " + device;
    }

    private static List<Fact> onDevices(PdRatioRowResponse row) {
        List<Fact> facts = new ArrayList<>();
        AvailableResponse available = row.available();
        Integer idle = available == null ? null : available.devicesIdle();
        if (idle != null && idle > 0) {
            facts.add(new Fact("Idle Devices", String.valueOf(idle)));
        }
        BestFitResponse most = available == null ? null : available.most();
        if (most != null) {
            facts.add(new Fact(
                    "Serves Most",
                    most.prefillInstances() + " : " + most.decodeInstances() + " (P Instance:D Instance), "
                            + Decimals.fixed(most.requestsPerS(), 2) + " req/s on " + most.devicesUsed() + " devices"));
        }
        return facts;
    }
}
