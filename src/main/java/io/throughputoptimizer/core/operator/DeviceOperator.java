package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;

/// An operator that runs on one device; its time follows from its [work][#work()] by the roofline rule. Most
/// are made by a method of [DeviceOperators], or of its like for attention and for experts; a record is one
/// that callers read.
public non-sealed interface DeviceOperator extends Operator {

    /// An operator that is nothing but its parts.
    record Plain(String name, List<Tensor> inputs, List<Tensor> outputs, OperatorWork work) implements DeviceOperator {
        public Plain {
            inputs = List.copyOf(inputs);
            outputs = List.copyOf(outputs);
        }

        /// Returns the same operator with matrix operations added.
        public Plain withMatrix(DataType type, Form operations) {
            return with(work.withMatrix(type, operations));
        }

        /// Returns the same operator with general operations added.
        public Plain withGeneral(DataType type, Form operations) {
            return with(work.withGeneral(type, operations));
        }

        private Plain with(OperatorWork changed) {
            return new Plain(name, inputs, outputs, changed);
        }
    }

    /// Returns an operator that moves its inputs and outputs once and computes nothing.
    static Plain of(String name, List<Tensor> inputs, List<Tensor> outputs) {
        return of(name, inputs, outputs, OperatorWork.moving(inputs, outputs));
    }

    /// Returns an operator with its own work.
    static Plain of(String name, List<Tensor> inputs, List<Tensor> outputs, OperatorWork work) {
        return new Plain(name, inputs, outputs, work);
    }

    /// What the operator asks of the device: its memory traffic alone, unless it computes or moves less.
    default OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs());
    }
}
