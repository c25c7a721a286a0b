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

/// What operators cost on one kind of device, by the reference's closed formulas: views are free, collectives follow
/// the links, a product with the sum of its results the longer of both, all else the roofline. Immutable; those that
/// give the same prices are equal.
public final class AnalyticCostModel {
    private final DeviceProfile device;
    private final RooflineCostModel roofline;
    private final CollectiveCostModel collectives;

    public AnalyticCostModel(DeviceProfile device) {
        this.device = device;
        this.roofline = new RooflineCostModel(device);
        this.collectives = new CollectiveCostModel(device);
    }

    /// Looks up once what the price of an operator depends on besides the shape of the pass.
    ///
    /// @param forms takes the forms that the price depends on
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

    /// Two at once: the longer of their times, each with its static cost, and the memory time of both.
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

    /// Cost models of equal devices are equal.
    @Override
    public boolean equals(Object other) {
        return other instanceof AnalyticCostModel model && device.equals(model.device);
    }

    @Override
    public int hashCode() {
        return device.name().hashCode();
    }
}
