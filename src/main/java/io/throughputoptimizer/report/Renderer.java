package io.throughputoptimizer.report;

/// Gives a [Report] its looks. Decides nothing about what is shown.
interface Renderer {

    String render(Report report);
}
