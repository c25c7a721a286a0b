package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import io.throughputoptimizer.api.result.measurement.ArrivalsResponse;
import io.throughputoptimizer.api.result.measurement.TraceResponse;
import io.throughputoptimizer.api.result.measurement.TraceResponse.MomentResponse;
import io.throughputoptimizer.api.result.measurement.TraceResponse.PrefixCacheResponse;
import io.throughputoptimizer.api.result.measurement.TraceResponse.QuantileResponse;
import io.throughputoptimizer.api.result.measurement.TraceResponse.ReadAsResponse;
import io.throughputoptimizer.api.result.measurement.TraceResponse.TraceLengthsResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Report;
import io.throughputoptimizer.report.table.Section;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Report of a trace: quantiles, loss by bins, and bins; as records the bins alone.
record TraceReport(TraceResponse trace) {
    private static final int WIDTH = 80;
    private static final String OWN = "own";
    private static final double PERCENT = 100;

    static Report of(TraceResponse trace) {
        TraceReport report = new TraceReport(trace);
        List<Section> sections = new ArrayList<>(List.of(
                report.figures(), report.bins("inputs", trace.input()), report.bins("outputs", trace.output())));
        if (trace.arrivals() != null) {
            sections.add(arrivals(trace.arrivals()));
        }
        if (trace.prefixCache() != null) {
            sections.add(reuse(trace.prefixCache()));
        }
        return new Report(sections, report.records());
    }

    private Section figures() {
        List<List<Cell>> rows = new ArrayList<>();
        rows.add(row("shortest", trace.input().shortest(), trace.output().shortest()));
        List<QuantileResponse> inputs = trace.input().quantiles();
        List<QuantileResponse> outputs = trace.output().quantiles();
        IntStream.range(0, inputs.size())
                .mapToObj(index -> row(
                        "p" + Decimals.general(PERCENT * inputs.get(index).share()),
                        inputs.get(index).tokens(),
                        outputs.get(index).tokens()))
                .forEach(rows::add);
        rows.add(row("longest", trace.input().longest(), trace.output().longest()));
        moment(rows, "mean", trace.input().mean(), trace.output().mean());
        moment(
                rows,
                "second moment",
                trace.input().secondMoment(),
                trace.output().secondMoment());
        return new Section.Comparison(
                WIDTH,
                title(),
                new Table(List.of("Tokens", "Input", "Output"), rows),
                List.of("Bins stand for the middle of their lengths: that is what they lose."));
    }

    /// Its own names are not worth a line.
    private List<String> title() {
        ReadAsResponse read = trace.readAs();
        List<String> lines = new ArrayList<>(List.of("Trace of " + trace.requests() + " requests"));
        if (!read.format().equals(OWN)) {
            lines.add("Read as " + read.format() + ": " + read.inputColumn() + ", " + read.outputColumn());
        }
        if (read.failedRequests() > 0) {
            lines.add("Failed and not counted: " + read.failedRequests() + " requests");
        }
        return lines;
    }

    private static Section arrivals(ArrivalsResponse arrivals) {
        List<List<Cell>> rows = new ArrayList<>();
        figure(rows, "requests per second", arrivals.requestsPerS());
        figure(rows, "in the busiest whole hour", arrivals.peakHourRequestsPerS());
        Long most = arrivals.busiestMinuteRequests();
        figure(rows, "most requests in a minute", most == null ? null : (Double) most.doubleValue());
        figure(rows, "dispersion of seconds", arrivals.dispersionOfSeconds());
        figure(rows, "dispersion of minutes", arrivals.dispersionOfMinutes());
        return new Section.Comparison(
                WIDTH,
                List.of("Arrivals over " + Decimals.general(arrivals.spanSeconds()) + " seconds"),
                new Table(List.of("Figure", "Value"), rows),
                List.of("Dispersion is 1 where requests come independently of each other, more in bursts."));
    }

    private static Section reuse(PrefixCacheResponse cache) {
        SortedMap<Long, Double> found = new TreeMap<>();
        cache.curve().forEach(hits -> found.put(hits.cacheTokens(), hits.hitRate()));
        if (cache.cacheTokens() != null && cache.hitRate() != null) {
            found.put(cache.cacheTokens(), cache.hitRate());
        }
        List<List<Cell>> rows = new ArrayList<>();
        found.forEach(
                (tokens, rate) -> rows.add(List.of(new Cell.Text(Long.toString(tokens)), Cell.figure(PERCENT * rate))));
        return new Section.Comparison(
                WIDTH,
                List.of("Prefix cache in blocks of " + cache.blockTokens() + " tokens"),
                new Table(List.of("Cache tokens", "Found of input %"), rows),
                List.of(
                        "The share of all tokens of prompts that a cache finds which forgets the blocks used longest ago."));
    }

    private static void figure(List<List<Cell>> rows, String name, @Nullable Double value) {
        if (value != null) {
            rows.add(List.of(new Cell.Text(name), Cell.figure(value)));
        }
    }

    private static void moment(List<List<Cell>> rows, String name, MomentResponse input, MomentResponse output) {
        rows.add(List.of(new Cell.Text(name), Cell.figure(input.before()), Cell.figure(output.before())));
        rows.add(List.of(new Cell.Text(name + " in bins"), Cell.figure(input.after()), Cell.figure(output.after())));
        rows.add(List.of(
                new Cell.Text("loss of it (%)"),
                Cell.figure(PERCENT * input.loss()),
                Cell.figure(PERCENT * output.loss())));
    }

    private static List<Cell> row(String name, int input, int output) {
        return List.of(new Cell.Text(name), new Cell.Count(input), new Cell.Count(output));
    }

    private Section bins(String which, TraceLengthsResponse lengths) {
        return new Section.Comparison(
                WIDTH,
                List.of("Bins of the " + which),
                new Table(
                        List.of("From", "To", "Requests", "Share (%)"),
                        given(lengths).stream()
                                .map(bin -> List.<Cell>of(
                                        Cell.count(bin.minTokens()),
                                        Cell.count(bin.maxTokens()),
                                        new Cell.Count(requests(bin)),
                                        Cell.figure(PERCENT * requests(bin) / trace.requests())))
                                .toList()),
                List.of());
    }

    private Table records() {
        return new Table(
                List.of("of", "min_tokens", "max_tokens", "weight", "share"),
                Stream.concat(records("input", trace.input()), records("output", trace.output()))
                        .toList());
    }

    private Stream<List<Cell>> records(String of, TraceLengthsResponse lengths) {
        return given(lengths).stream()
                .map(bin -> List.of(
                        new Cell.Text(of),
                        Cell.count(bin.minTokens()),
                        Cell.count(bin.maxTokens()),
                        new Cell.Count(requests(bin)),
                        Cell.figure((double) requests(bin) / trace.requests())));
    }

    private static List<LengthBinRequest> given(TraceLengthsResponse lengths) {
        return Objects.requireNonNull(lengths.lengthDistribution().bins());
    }

    private static long requests(LengthBinRequest bin) {
        return Objects.requireNonNull(bin.weight()).longValue();
    }
}
