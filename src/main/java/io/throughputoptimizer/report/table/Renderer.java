package io.throughputoptimizer.report.table;

/// Gives a [Report] its looks. Decides nothing about what is shown.
public interface Renderer {

    String render(Report report);
}
