package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.OperatorWork.Computation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/// Roofline time of an operator on one device. With effective rates:
///
///     matrix  = sum over types of matrix operations / matrix rate
///     general = sum over types of general operations / general rate
///     memory  = bytes moved / memory bandwidth
///     base    = max(matrix + general, memory)
///     time    = 0 if base is 0, else base + static cost * (1 + extra launches)
///
/// The static cost is that of the matrix units if some matrix work is in a type the device lists, else that of
/// the general units. Work in a type the device does not list takes no time: msmodeling neither emulates nor
/// rejects it.
final class RooflineCostModel {
    private final DeviceProfile.Compute compute;
    private final DeviceProfile.StaticCosts staticCosts;
    private final double bytesPerSecond;

    RooflineCostModel(DeviceProfile device) {
        this.compute = device.compute();
        this.staticCosts = device.staticCosts();
        this.bytesPerSecond = device.memory().effectiveBytesPerSecond();
    }

    OperatorPrice price(OperatorWork work, FormTable.Builder forms) {
        return new RooflinePrice(work, forms);
    }

    /// Returns the computations of one unit in types that the device lists.
    private Rated[] rated(OperatorWork work, OperatorWork.Unit unit, FormTable.Builder forms) {
        List<Rated> rated = new ArrayList<>(work.computations().size());
        for (Computation computation : work.computations()) {
            if (computation.unit() == unit) {
                rate(computation)
                        .ifPresent(perSecond -> rated.add(new Rated(forms.add(computation.operations()), perSecond)));
            }
        }
        return rated.toArray(Rated[]::new);
    }

    private OptionalDouble rate(Computation computation) {
        return switch (computation.unit()) {
            case MATRIX -> compute.effectiveMatrixRate(computation.type());
            case GENERAL -> compute.effectiveGeneralRate(computation.type());
        };
    }

    /// Returns the time to move `bytes` to or from device memory.
    double memorySeconds(double bytes) {
        return bytes / bytesPerSecond;
    }

    /// Operations by index among the values, and their rate.
    private record Rated(int operations, double perSecond) {
        static double seconds(Rated[] computations, double[] values) {
            double sum = 0;
            for (Rated computation : computations) {
                sum += values[computation.operations] / computation.perSecond;
            }
            return sum;
        }
    }

    private final class RooflinePrice implements OperatorPrice {
        /// Indexes of the bytes moved, in the order of summation.
        private final int[] bytes;

        private final Rated[] matrix;
        private final Rated[] general;
        /// Index of the number of static costs.
        private final int launches;

        private RooflinePrice(OperatorWork work, FormTable.Builder forms) {
            List<Form> moved = work.bytesMoved();
            this.bytes = new int[moved.size()];
            for (int part = 0; part < bytes.length; part++) {
                bytes[part] = forms.add(moved.get(part));
            }
            this.matrix = rated(work, OperatorWork.Unit.MATRIX, forms);
            this.general = rated(work, OperatorWork.Unit.GENERAL, forms);
            this.launches = forms.add(work.extraLaunches().plus(1));
        }

        @Override
        public OperatorCost at(double[] values) {
            double moved = 0;
            for (int place : bytes) {
                moved += values[place];
            }
            double memorySeconds = moved / bytesPerSecond;
            double matrixSeconds = Rated.seconds(matrix, values);
            double generalSeconds = Rated.seconds(general, values);
            double base = Math.max(matrixSeconds + generalSeconds, memorySeconds);
            if (base == 0) {
                return OperatorCost.FREE;
            }
            double staticSeconds = matrixSeconds > 0 ? staticCosts.matrixSeconds() : staticCosts.generalSeconds();
            return new OperatorCost(
                    base + staticSeconds * values[launches], memorySeconds, 0, matrixSeconds, generalSeconds);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof RooflinePrice price
                    && launches == price.launches
                    && Arrays.equals(bytes, price.bytes)
                    && Arrays.equals(matrix, price.matrix)
                    && Arrays.equals(general, price.general);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(bytes) + Arrays.hashCode(matrix);
        }
    }
}
