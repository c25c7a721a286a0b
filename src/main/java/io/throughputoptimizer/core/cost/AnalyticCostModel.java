package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.UnsafeView;
import io.throughputoptimizer.core.operator.View;

/// What operators cost on one kind of device, by the reference's closed formulas: views are free, collectives follow
/// the links, all else the roofline. Immutable; those that give the same prices are equal.
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
            case AllToAll exchange -> collectives.price(exchange, forms);
            case DeviceOperator onDevice -> roofline.price(onDevice.work(), forms);
        };
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
