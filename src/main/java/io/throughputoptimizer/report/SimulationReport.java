package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.ConversationRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.SimulatedTrafficRequest;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.api.result.estimate.SimulationResponse;
import io.throughputoptimizer.api.result.estimate.SimulationResponse.AnsweredSimulation;
import io.throughputoptimizer.api.result.estimate.SimulationResponse.DraftsResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.SimulatedFigures.Statistic;
import io.throughputoptimizer.report.table.BandedFigure;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Section.Fact;
import io.throughputoptimizer.report.table.SingleRecord;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Report of a simulation: its statistics, and one record with all of them, so that records of several
/// simulations make one table.
record SimulationReport(SimulationRequest request, SimulationResponse answer) {

    static Report of(AnsweredSimulation simulation) {
        SimulationReport report = new SimulationReport(simulation.request(), simulation.answer());
        return new Report(List.of(report.section()), report.statisticsOfOneLine());
    }

    private Section section() {
        return new Section.Simulated(
                input(),
                outcome(),
                "Statistics of " + answer.requests() + " requests of " + (sides() == null ? "one rank:" : "all ranks:"),
                statistics());
    }

    private @Nullable SimulatedSides sides() {
        return answer.pair() == null ? null : new SimulatedSides(answer.pair());
    }

    private List<Fact> input() {
        SimulatedSides sides = sides();
        List<Fact> facts = new ArrayList<>(List.of(
                new Fact("Model", request.modelName()),
                new Fact("Engine", String.valueOf(answer.engine().backend())),
                new Fact("Scheme", String.valueOf(request.quantization().scheme())),
                new Fact("KV cache", String.valueOf(answer.engine().kvCacheDtype())),
                new Fact(
                        "Devices", request.allDevices() + " " + (sides == null ? request.device() : sides.devices()))));
        facts.addAll(sides == null ? List.of(new Fact("Layout", layout())) : sides.input());
        facts.addAll(List.of(
                new Fact("Input length", inputs()),
                new Fact("Output length", outputs()),
                new Fact("Load", load(request) + staggered(answer.staggerMs()))));
        return facts;
    }

    private String layout() {
        Integer replicas = requireNonNull(answer.replicas());
        return requireNonNull(answer.parallel()).label() + (replicas == 1 ? "" : ", " + replicas + " replicas");
    }

    private String inputs() {
        WorkloadRequest workload = request.workload();
        if (workload.conversation() != null) {
            return workload.conversation().promptsInWords();
        }
        return workload.requests() == null
                ? lengths(workload.inputLength(), workload.lengthDistribution())
                : workload.requests().inWords(true);
    }

    private String outputs() {
        WorkloadRequest workload = request.workload();
        if (workload.conversation() != null) {
            return workload.conversation().generatedTokens() + " tokens";
        }
        return workload.requests() == null
                ? lengths(workload.outputLength(), workload.outputDistribution())
                : workload.requests().inWords(false);
    }

    private String lengths(@Nullable Integer longest, @Nullable LengthDistributionRequest distribution) {
        double ratio = request.traffic().randomRangeRatio();
        return (ratio == 1 ? "" : Decimals.general(100 * ratio) + " to 100% of ")
                + TrafficColumns.lengths(longest, distribution);
    }

    private static String load(SimulationRequest request) {
        SimulatedTrafficRequest traffic = request.traffic();
        ConversationRequest turns = request.workload().conversation();
        if (turns != null) {
            return traffic.concurrency() + " conversations open, " + turns.turnsInWords();
        }
        Double rate = traffic.requestRate();
        if (rate == null && traffic.concurrency() == null) {
            return "as they were sent";
        }
        return rate == null
                ? traffic.concurrency() + " requests outstanding (closed loop)"
                : Decimals.general(rate) + " requests/s (open loop)";
    }

    /// Describes the stagger between clients of equal requests, after their load; empty without one.
    static String staggered(@Nullable Double millis) {
        return millis == null
                ? ""
                : ", second requests spread over " + Decimals.fixed(millis, 1) + " ms, what one takes in the law";
    }

    private List<Fact> outcome() {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "Throughput",
                new BandedFigure(answer.tokensPerS(), answer.tokensPerSBand(), answer.tokensPerSRange())
                        .text("tokens/s")));
        facts.add(new Fact(
                "TTFT", SimulatedFigures.of(answer.ttftMs()).getFirst().figure().text("ms")));
        StatisticsResponse tpot = answer.tpotMs();
        if (tpot != null) {
            facts.add(new Fact(
                    "TPOT", SimulatedFigures.of(tpot).getFirst().figure().text("ms")));
        }
        if (answer.pair() != null) {
            facts.add(new Fact(
                    "Request latency",
                    SimulatedFigures.of(requireNonNull(answer.e2eLatencyMs()))
                            .getFirst()
                            .figure()
                            .text("ms")));
            facts.addAll(new SimulatedSides(answer.pair()).outcome());
        }
        if (answer.stepMeanMs() != null) {
            facts.add(new Fact(
                    "Step",
                    Decimals.fixed(answer.stepMeanMs(), 1) + " ms, which yields "
                            + Decimals.general(
                                    requireNonNull(answer.speculation()).acceptanceLength()) + " tokens"));
        }
        if (answer.turns() != null) {
            facts.add(new Fact(
                    "Kept caches",
                    Decimals.fixed(100 * answer.turns().hitRate(), 1) + "% of the prompts' tokens, found by "
                            + Decimals.fixed(100 * answer.turns().turnsFound(), 1) + "% of the turns after the first"));
        }
        if (answer.tokensPerSBand() != null) {
            facts.add(new Fact(
                    "Bands", "hold " + Decimals.general(100 * answer.bandCoverage()) + "% of measured figures"));
        }
        if (!answer.flags().isEmpty()) {
            facts.add(new Fact("Flags", String.join(", ", answer.flags())));
        }
        return facts;
    }

    private Table statistics() {
        List<Statistic> ttft = SimulatedFigures.of(answer.ttftMs());
        StatisticsResponse generation = answer.tpotMs();
        List<Statistic> tpot = generation == null ? List.of() : SimulatedFigures.of(generation);
        List<Statistic> whole =
                answer.pair() == null ? List.of() : SimulatedFigures.of(requireNonNull(answer.e2eLatencyMs()));
        List<String> titles = List.of("Statistic", "TTFT (ms)", "TPOT (ms)", "Request latency (ms)");
        int columns = answer.pair() == null ? titles.size() - 1 : titles.size();
        return new Table(
                titles.subList(0, columns),
                IntStream.range(0, ttft.size())
                        .mapToObj(i -> List.of(
                                        new Cell.Text(ttft.get(i).name()), cell(ttft, i), cell(tpot, i), cell(whole, i))
                                .subList(0, columns))
                        .toList());
    }

    private static Cell cell(List<Statistic> statistics, int index) {
        return statistics.isEmpty()
                ? Cell.MISSING
                : statistics.get(index).figure().cell();
    }

    private Table statisticsOfOneLine() {
        SimulatedTrafficRequest traffic = request.traffic();
        SimulatedSides sides = sides();
        SingleRecord line = new SingleRecord()
                .text("model_id", request.modelName())
                .text("device", sides == null ? request.device() : sides.devices())
                .count("num_devices", request.allDevices());
        if (sides == null) {
            line.text("parallel", requireNonNull(answer.parallel()).label())
                    .count("replicas", length(answer.replicas()));
        } else {
            sides.layouts(line);
        }
        line.text("backend", String.valueOf(answer.engine().backend()))
                .text("scheme", String.valueOf(request.quantization().scheme()))
                .text("kv_cache_dtype", String.valueOf(answer.engine().kvCacheDtype()))
                .count("input_length", length(request.workload().inputLength()))
                .count("output_length", length(request.workload().outputLength()))
                .figure("random_range_ratio", traffic.randomRangeRatio())
                .count("concurrency", length(traffic.concurrency()))
                .figure("request_rate", traffic.requestRate())
                .count("requests", (long) answer.requests());
        if (answer.staggerMs() != null) {
            line.figure("stagger_ms", answer.staggerMs());
        }
        if (answer.turns() != null) {
            line.figure("hit_rate", answer.turns().hitRate())
                    .figure("turns_found", answer.turns().turnsFound())
                    .figure("context_tokens", answer.turns().contextTokens());
        }
        statistics("ttft", answer.ttftMs()).forEach(named -> line.banded(named.name(), named.figure()));
        statistics("tpot", answer.tpotMs()).forEach(named -> line.banded(named.name(), named.figure()));
        if (sides != null) {
            statistics("e2e_latency", answer.e2eLatencyMs())
                    .forEach(named -> line.banded(named.name(), named.figure()));
            sides.figures(line);
        }
        DraftsResponse drafts = answer.speculation();
        if (drafts != null) {
            line.count("num_mtp_tokens", (long) drafts.numDraftTokens())
                    .figure("acceptance_length", drafts.acceptanceLength())
                    .figure("step_mean", answer.stepMeanMs());
        }
        Double gap = answer.itlMeanMs();
        return line.banded(
                        "itl_mean",
                        gap == null ? null : new BandedFigure(gap, answer.itlMeanMsBand(), answer.itlMeanMsRange()))
                .banded(
                        "tokens_per_s",
                        new BandedFigure(answer.tokensPerS(), answer.tokensPerSBand(), answer.tokensPerSRange()))
                .text("flags", String.join(" ", answer.flags()))
                .table();
    }

    private static @Nullable Long length(@Nullable Integer count) {
        return count == null ? null : (long) count;
    }

    private record Named(String name, @Nullable BandedFigure figure) {}

    /// The columns are the same whether or not requests have a TPOT.
    private Stream<Named> statistics(String prefix, @Nullable StatisticsResponse statistics) {
        return SimulatedFigures.of(answer.ttftMs()).stream()
                .map(Statistic::name)
                .map(name -> new Named(
                        prefix + "_" + name,
                        statistics == null
                                ? null
                                : SimulatedFigures.of(statistics).stream()
                                        .filter(known -> known.name().equals(name))
                                        .findFirst()
                                        .orElseThrow()
                                        .figure()));
    }
}
