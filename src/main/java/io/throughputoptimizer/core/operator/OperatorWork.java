package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.ArrayList;
import java.util.List;

/// What an operator asks of a device.
///
/// @param bytesMoved bytes read from device memory and written to it, to be added up in this order where some are no
///     whole numbers; what is changed in place counts once
/// @param computations arithmetic, added up in this order
/// @param extraLaunches static costs beyond the one that every operator pays
public record OperatorWork(List<Form> bytesMoved, List<Computation> computations, Form extraLaunches) {

    /// Arithmetic on one element type.
    ///
    /// @param operations elementary ones, 2 per multiply-accumulate
    public record Computation(Unit unit, DataType type, Form operations) {}

    /// What computes.
    public enum Unit {
        MATRIX,
        GENERAL
    }

    public OperatorWork {
        bytesMoved = List.copyOf(bytesMoved);
        computations = List.copyOf(computations);
    }

    /// Memory traffic alone.
    public static OperatorWork memory(Form bytesRead, Form bytesWritten) {
        return memory(List.of(bytesRead.plus(bytesWritten)));
    }

    /// Memory traffic alone, to be added up in this order.
    public static OperatorWork memory(List<Form> bytesMoved) {
        return new OperatorWork(bytesMoved, List.of(), Form.ZERO);
    }

    /// The default rule: every input is read once and every output written once, without arithmetic. A
    /// broadcast operand counts its stored size.
    public static OperatorWork moving(List<Tensor> inputs, List<Tensor> outputs) {
        return memory(totalBytes(inputs), totalBytes(outputs));
    }

    /// The same work with matrix operations added.
    public OperatorWork withMatrix(DataType type, Form operations) {
        return with(new Computation(Unit.MATRIX, type, operations));
    }

    /// The same work with general operations added.
    public OperatorWork withGeneral(DataType type, Form operations) {
        return with(new Computation(Unit.GENERAL, type, operations));
    }

    /// The same work in an operator that pays more than one static cost.
    public OperatorWork withExtraLaunches(Form launches) {
        return new OperatorWork(bytesMoved, computations, launches);
    }

    private OperatorWork with(Computation added) {
        List<Computation> all = new ArrayList<>(computations);
        all.add(added);
        return new OperatorWork(bytesMoved, all, extraLaunches);
    }

    public static Form totalBytes(List<Tensor> tensors) {
        Form sum = Form.ZERO;
        for (Tensor tensor : tensors) {
            sum = sum.plus(tensor.bytes());
        }
        return sum;
    }
}
