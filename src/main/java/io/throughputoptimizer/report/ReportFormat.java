package io.throughputoptimizer.report;

import java.util.function.Supplier;

/// What a result can be turned into for people and their programs.
public enum ReportFormat {
    /// Framed tables in plain characters.
    TEXT(TextRenderer::new),
    /// Comma-separated values (RFC 4180) under one header.
    CSV(CsvRenderer::new);

    // A constructor reference holds no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Supplier<Renderer> renderer;

    ReportFormat(Supplier<Renderer> renderer) {
        this.renderer = renderer;
    }

    /// The report of some findings.
    public String render(Findings findings) {
        return renderer.get().render(ReportAssembler.assemble(findings));
    }
}
