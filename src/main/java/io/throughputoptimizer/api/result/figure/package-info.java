/// Figures that documents of several kinds have: bands, memory, breakdowns, layouts, what was assumed.
@NullMarked
package io.throughputoptimizer.api.result.figure;

import org.jspecify.annotations.NullMarked;
