package io.throughputoptimizer.report;

/// Draws [Curves].
sealed interface CurveRenderer permits SvgRenderer, PlotRenderer {

    String render(Curves curves);
}
