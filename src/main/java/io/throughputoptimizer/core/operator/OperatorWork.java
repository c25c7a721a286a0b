package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.ArrayList;
import java.util.List;

/// What an operator asks of a device.
///
/// @param bytesRead bytes read from device memory
/// @param bytesWritten bytes written to it; what is changed in place counts once, here
/// @param computations arithmetic, per element type
/// @param extraLaunches static costs beyond the one that every operator pays
public record OperatorWork(double bytesRead, double bytesWritten, List<Computation> computations, long extraLaunches) {

    /// Arithmetic on one element type.
    ///
    /// @param matrixOperations on matrix units, 2 per multiply-accumulate
    /// @param generalOperations elementary operations on general units
    public record Computation(DataType type, double matrixOperations, double generalOperations) {}

    public OperatorWork {
        computations = List.copyOf(computations);
    }

    /// Memory traffic alone.
    public static OperatorWork memory(double bytesRead, double bytesWritten) {
        return new OperatorWork(bytesRead, bytesWritten, List.of(), 0);
    }

    /// The default rule: every input is read once and every output written once, without arithmetic. A
    /// broadcast operand counts its stored size.
    public static OperatorWork moving(List<Tensor> inputs, List<Tensor> outputs) {
        return memory(totalBytes(inputs), totalBytes(outputs));
    }

    /// The same work with matrix operations added.
    public OperatorWork withMatrix(DataType type, double operations) {
        return with(new Computation(type, operations, 0));
    }

    /// The same work with general operations added.
    public OperatorWork withGeneral(DataType type, double operations) {
        return with(new Computation(type, 0, operations));
    }

    /// The same work in an operator that pays more than one static cost.
    public OperatorWork withExtraLaunches(long launches) {
        return new OperatorWork(bytesRead, bytesWritten, computations, launches);
    }

    public double bytesMoved() {
        return bytesRead + bytesWritten;
    }

    private OperatorWork with(Computation added) {
        List<Computation> all = new ArrayList<>(computations);
        all.add(added);
        return new OperatorWork(bytesRead, bytesWritten, all, extraLaunches);
    }

    static double totalBytes(List<Tensor> tensors) {
        double sum = 0;
        for (Tensor tensor : tensors) {
            sum += tensor.bytes();
        }
        return sum;
    }
}
