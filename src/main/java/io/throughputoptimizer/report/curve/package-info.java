/// Curves as plain characters.
@NullMarked
package io.throughputoptimizer.report.curve;

import org.jspecify.annotations.NullMarked;
