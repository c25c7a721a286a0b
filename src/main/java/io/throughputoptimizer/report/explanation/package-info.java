/// Tables of explanations.
@NullMarked
package io.throughputoptimizer.report.explanation;

import org.jspecify.annotations.NullMarked;
