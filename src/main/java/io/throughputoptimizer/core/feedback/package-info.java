/// Calibration of the model by benchmarks of a user's server, for every configuration of it, with uncertainty.
/// Predictions start from the calibrated model and approach the measurements.
@NullMarked
package io.throughputoptimizer.core.feedback;

import org.jspecify.annotations.NullMarked;
