package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.OperatorWork;
import java.util.OptionalDouble;

/// Time of an operator on one device by the roofline rule. With rates already multiplied by their
/// efficiencies:
///
///     matrix  = sum over types of matrix operations / matrix rate
///     general = sum over types of general operations / general rate
///     memory  = bytes moved / memory bandwidth
///     base    = max(matrix + general, memory)
///     time    = 0 if base is 0, else base + static cost * (1 + extra launches)
///
/// The static cost is that of the matrix units if some matrix work is in a type the device lists, else that of
/// the general units. Work in a type the device does not list takes no time: the reference neither emulates
/// nor rejects it.
public final class RooflineCostModel {
    private final DeviceProfile.Compute compute;
    private final DeviceProfile.StaticCosts staticCosts;
    private final double bytesPerSecond;

    public RooflineCostModel(DeviceProfile device) {
        this.compute = device.compute();
        this.staticCosts = device.staticCosts();
        this.bytesPerSecond = device.memory().effectiveBytesPerSecond();
    }

    public OperatorCost cost(DeviceOperator operator) {
        OperatorWork work = operator.work();
        double matrix = 0;
        double general = 0;
        double staticSeconds = staticCosts.generalSeconds();
        for (OperatorWork.Computation computation : work.computations()) {
            OptionalDouble matrixRate = compute.effectiveMatrixRate(computation.type());
            if (computation.matrixOperations() > 0 && matrixRate.isPresent()) {
                matrix += computation.matrixOperations() / matrixRate.getAsDouble();
                staticSeconds = staticCosts.matrixSeconds();
            }
            OptionalDouble generalRate = compute.effectiveGeneralRate(computation.type());
            if (computation.generalOperations() > 0 && generalRate.isPresent()) {
                general += computation.generalOperations() / generalRate.getAsDouble();
            }
        }
        double memory = memorySeconds(work.bytesMoved());
        double base = Math.max(matrix + general, memory);
        double launches = staticSeconds * (1 + work.extraLaunches());
        return base == 0 ? OperatorCost.FREE : new OperatorCost(base + launches, memory, 0, matrix, general);
    }

    /// Time to move `bytes` to or from device memory.
    double memorySeconds(double bytes) {
        return bytes / bytesPerSecond;
    }
}
