package io.throughputoptimizer.report.curve;

import io.throughputoptimizer.report.Curves;

/// Draws [Curves].
sealed interface CurveRenderer permits SvgRenderer, PlotRenderer {

    String render(Curves curves);
}
