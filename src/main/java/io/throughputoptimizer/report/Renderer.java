package io.throughputoptimizer.report;

/// Gives a [Report] its looks. Decides nothing about what is shown.
sealed interface Renderer permits TextRenderer, CsvRenderer {

    String render(Report report);
}
