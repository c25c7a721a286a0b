package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.List;
import java.util.Map;

/// A device with round rates, so that expected values can be written as formulas. It lists no FP8 rate.
final class TestDevice {
    static final double MATRIX_HALF = 400e12;
    static final double GENERAL_HALF = 20e12;
    static final double GENERAL_FLOAT = 10e12;
    static final double COMPUTE_EFFICIENCY = 0.5;
    static final double BANDWIDTH = 2e12;
    static final double MEMORY_EFFICIENCY = 0.8;
    static final double MATRIX_STATIC = 5e-6;
    static final double GENERAL_STATIC = 2e-6;
    static final double COMMUNICATION_STATIC = 7e-6;
    static final Interconnect.Link OUTER = new Interconnect.Link(40e9, 10e-6, 0.75, Interconnect.Topology.CLOS);
    static final Interconnect.Link MESH = new Interconnect.Link(200e9, 1e-6, 0.5, Interconnect.Topology.FULL_MESH);

    private TestDevice() {}

    static DeviceProfile profile() {
        return new DeviceProfile(
                "ROUND",
                "nobody",
                new DeviceProfile.Compute(
                        Map.of(DataType.FLOAT16, MATRIX_HALF),
                        Map.of(DataType.FLOAT16, GENERAL_HALF, DataType.FLOAT32, GENERAL_FLOAT),
                        COMPUTE_EFFICIENCY),
                new DeviceProfile.Memory(64e9, BANDWIDTH, MEMORY_EFFICIENCY),
                new DeviceProfile.StaticCosts(MATRIX_STATIC, GENERAL_STATIC, COMMUNICATION_STATIC),
                new Interconnect(List.of(4, 8), List.of(OUTER, MESH)),
                List.of());
    }

    /// What an operator of fixed size costs.
    static OperatorCost cost(Operator operator) {
        FormTable.Builder builder = new FormTable.Builder();
        OperatorPrice price = new AnalyticCostModel(profile()).price(operator, builder);
        FormTable forms = builder.build();
        double[] values = new double[forms.size()];
        forms.evaluate(new Quantities(), values);
        return price.at(values);
    }
}
