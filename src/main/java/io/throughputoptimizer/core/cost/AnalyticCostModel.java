package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.ReducedProduct;
import io.throughputoptimizer.core.operator.UnsafeView;
import io.throughputoptimizer.core.operator.View;

/// Costs of operators on one kind of device, by msmodeling's closed formulas: views are free, collectives
/// follow the links, a fused product and all-reduce take the longer of both, all others follow the roofline.
/// Immutable; models with the same prices are equal.
public final class AnalyticCostModel {
    private final DeviceProfile device;
    private final RooflineCostModel roofline;
    private final CollectiveCostModel collectives;

    public AnalyticCostModel(DeviceProfile device) {
        this.device = device;
        this.roofline = new RooflineCostModel(device);
        this.collectives = new CollectiveCostModel(device);
    }

    /// Computes the part of an operator's price that does not depend on the shape of the pass.
    ///
    /// @param forms collector of the forms that the price depends on
    public OperatorPrice price(Operator operator, FormTable.Builder forms) {
        return switch (operator) {
            case View _, UnsafeView _ -> OperatorPrice.NOTHING;
            case Collective collective -> collectives.price(collective, forms);
            case ReducedProduct both ->
                new OverlappedPrice(roofline.price(both.product().work(), forms), collectives.price(both.sum(), forms));
            case AllToAll exchange -> collectives.price(exchange, forms);
            case DeviceOperator onDevice -> roofline.price(onDevice.work(), forms);
        };
    }

    /// Price of two overlapping operators: the longer of their times, each with its static cost, and the memory
    /// time of both.
    private record OverlappedPrice(OperatorPrice product, OperatorPrice sum) implements OperatorPrice {
        @Override
        public OperatorCost at(double[] values) {
            OperatorCost computed = product.at(values);
            OperatorCost exchanged = sum.at(values);
            return new OperatorCost(
                    Math.max(computed.seconds(), exchanged.seconds()),
                    computed.memorySeconds() + exchanged.memorySeconds(),
                    exchanged.communicationSeconds(),
                    computed.matrixSeconds(),
                    computed.generalSeconds());
        }
    }

    /// Compares the devices.
    @Override
    public boolean equals(Object other) {
        return other instanceof AnalyticCostModel model && device.equals(model.device);
    }

    @Override
    public int hashCode() {
        return device.name().hashCode();
    }
}
