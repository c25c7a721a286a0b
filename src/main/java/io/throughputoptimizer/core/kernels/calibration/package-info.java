/// Calibration of a device: its peaks, and the parameters of its kernels by class, type and backend.
@NullMarked
package io.throughputoptimizer.core.kernels.calibration;

import org.jspecify.annotations.NullMarked;
