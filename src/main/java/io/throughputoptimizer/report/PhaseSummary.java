package io.throughputoptimizer.report;

import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Question;
import io.throughputoptimizer.report.Section.Fact;
import io.throughputoptimizer.report.Section.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The summary of one phase on one kind of device.
record PhaseSummary(Question question) {
    static final String NOTHING_FOUND = "No configuration fits in memory and satisfies the TTFT/TPOT limits.";

    Section of(DeviceFindings device, PhaseResult result) {
        if (result.rows().isEmpty()) {
            return nothing(device, result);
        }
        PhaseTable table = PhaseTable.of(result);
        return new Section.Summary(
                Frame.PHASE,
                input(device, result.phase()),
                best(result.rows().getFirst().figures()),
                table.title(result),
                table.table(device, result),
                Stream.concat(
                                MemoryWarnings.ofPlaces(result.rows()).stream(),
                                result.rows().stream().flatMap(PhaseSummary::leftOut))
                        .toList());
    }

    /// That a row does not speak of all requests.
    private static Stream<String> leftOut(ResultRow row) {
        return row.leftOutRatio() > 0
                ? Stream.of("Top " + row.rank() + ": the batch is too small for every length; its figures leave out "
                        + Decimals.general(100 * row.leftOutRatio()) + "% of the requests.")
                : Stream.empty();
    }

    private List<Fact> input(DeviceFindings device, Phase phase) {
        ServiceObjective limits = limits(phase);
        List<Fact> facts = new ArrayList<>(List.of(
                new Fact("Model", question.modelId()),
                new Fact(
                        "Quantize Linear action",
                        question.quantization().linear().name()),
                new Fact(
                        "Quantize Attention action",
                        question.quantization().attention().name()),
                new Fact("Devices", device.deviceCount() + " " + device.device()),
                limit("TTFT Limits", limits.ttftMillis()),
                limit("TPOT Limits", limits.tpotMillis())));
        accounting(question).ifPresent(facts::add);
        return facts;
    }

    /// Which formulas were used, unless they are those that people know.
    static Optional<Fact> accounting(Question question) {
        return switch (question.accounting()) {
            case Accounting.Documented _ -> Optional.empty();
            case Accounting.Corrected corrected -> Optional.of(new Fact("Accounting", corrected.name()));
        };
    }

    static Fact limit(String label, @Nullable Double millis) {
        return new Fact(label, (millis == null ? "None" : Decimals.exact(millis)) + " ms");
    }

    /// A disaggregated phase keeps its own limit only.
    private ServiceObjective limits(Phase phase) {
        return switch (phase) {
            case AGGREGATION -> question.objective();
            case PREFILL -> question.objective().ttftOnly();
            case DECODE -> question.objective().tpotOnly();
        };
    }

    private static List<Fact> best(ResultRow.Figures figures) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("Best Throughput", Decimals.fixed(figures.tokensPerSecond(), 2) + " tokens/s"));
        if (figures.ttftMillis() != null) {
            facts.add(new Fact("TTFT", Decimals.fixed(figures.ttftMillis(), 2) + " ms"));
        }
        if (figures.tpotMillis() != null) {
            facts.add(new Fact("TPOT", Decimals.fixed(figures.tpotMillis(), 2) + " ms"));
        }
        return facts;
    }

    private static Section nothing(DeviceFindings device, PhaseResult result) {
        return new Section.NoConfiguration(
                NOTHING_FOUND,
                device.deviceCount() + " " + device.device() + ", " + name(result.phase()) + ": no layout is left.",
                reasons(result, "").toList());
    }

    /// Why each layout has no row.
    static Stream<Fact> reasons(PhaseResult result, String prefix) {
        return result.rejected().stream().map(rejected -> reason(rejected, prefix));
    }

    private static Fact reason(RejectedCandidate rejected, String prefix) {
        String batch = rejected.batchSize() == null ? "" : " at batch size " + rejected.batchSize();
        return new Fact(prefix + rejected.layout().label() + batch, rejected.detail());
    }

    static String name(Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }
}
