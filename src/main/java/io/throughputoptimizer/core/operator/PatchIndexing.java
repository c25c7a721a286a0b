package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// The integer arithmetic that finds, for each image patch, its row and column and its four neighbours in the position
/// table with their weights: many small operators, of which only the sum has been measured, as one.
///
/// Each of them is taken to read and to write one int64 a patch, and pays its own static cost.
///
/// @param grid rows and columns of each image `[images, 3]`, int64
/// @param operators how many operators this stands for
/// @param neighbours `[N, 4]`, int64
/// @param weights `[N, 4]`, float32
/// @param coordinates `[N, 2]`, int64
public record PatchIndexing(Tensor grid, Form operators, Tensor neighbours, Tensor weights, Tensor coordinates)
        implements DeviceOperator {
    @Override
    public String name() {
        return "vision.patch_indexing";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(grid);
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(neighbours, weights, coordinates);
    }

    @Override
    public OperatorWork work() {
        Form bytes = Tensor.bytes(DataType.INT64, operators.times(neighbours.size(0)));
        return OperatorWork.memory(bytes, bytes).withExtraLaunches(operators.minus(Form.ONE));
    }
}
