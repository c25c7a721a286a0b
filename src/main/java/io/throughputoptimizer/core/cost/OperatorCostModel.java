package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.UnsafeView;
import io.throughputoptimizer.core.operator.View;

/// Time of any operator on one kind of device: views are free, collectives follow the links, all else the
/// roofline.
public final class OperatorCostModel {
    private final RooflineCostModel roofline;
    private final CollectiveCostModel collectives;

    public OperatorCostModel(DeviceProfile device) {
        this.roofline = new RooflineCostModel(device);
        this.collectives = new CollectiveCostModel(device);
    }

    public OperatorCost cost(Operator operator) {
        return switch (operator) {
            case View _, UnsafeView _ -> OperatorCost.FREE;
            case Collective collective -> collectives.cost(collective);
            case AllToAll exchange -> collectives.cost(exchange);
            case DeviceOperator device -> roofline.cost(device);
        };
    }
}
