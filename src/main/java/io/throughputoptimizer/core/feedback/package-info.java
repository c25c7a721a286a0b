/// What a benchmark of somebody's own server teaches about every other configuration of it: predictions that start from
/// the calibrated model and end near what was measured, with how sure they are.
@NullMarked
package io.throughputoptimizer.core.feedback;

import org.jspecify.annotations.NullMarked;
