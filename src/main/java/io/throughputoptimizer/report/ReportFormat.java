package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.ContextsResponse;
import io.throughputoptimizer.api.result.estimate.SimulationResponse.AnsweredSimulation;
import io.throughputoptimizer.api.result.measurement.TraceResponse;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio;
import io.throughputoptimizer.report.table.CsvRenderer;
import io.throughputoptimizer.report.table.Report.Renderer;
import io.throughputoptimizer.report.table.TextRenderer;
import java.util.function.Supplier;

/// Formats of a result.
public enum ReportFormat {
    /// Framed tables in plain characters.
    TEXT(ReportFormat.PLAIN, TextRenderer::new),
    /// Comma-separated values (RFC 4180) under one header.
    CSV(ReportFormat.VALUES, CsvRenderer::new);

    /// Media type of [#TEXT].
    public static final String PLAIN = "text/plain";

    /// Media type of [#CSV].
    public static final String VALUES = "text/csv";

    private final String mediaType;

    // A constructor reference holds no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Supplier<Renderer> renderer;

    ReportFormat(String mediaType, Supplier<Renderer> renderer) {
        this.mediaType = mediaType;
        this.renderer = renderer;
    }

    public String mediaType() {
        return mediaType;
    }

    /// The report of some findings.
    public String render(Findings findings) {
        return renderer.get().render(ReportAssembler.assemble(findings));
    }

    /// The report of a trace.
    public String render(TraceResponse trace) {
        return renderer.get().render(TraceReport.of(trace));
    }

    /// The report of how long requests may get.
    public String render(ContextsResponse contexts) {
        return renderer.get().render(ContextReport.of(contexts));
    }

    /// The report of a simulation; its timeline is no part of it.
    public String render(AnsweredSimulation simulation) {
        return renderer.get().render(SimulationReport.of(simulation));
    }

    /// The report of a portfolio; as values its units, without the hours.
    public String render(AnsweredPortfolio portfolio) {
        return renderer.get().render(PortfolioReport.of(portfolio));
    }
}
