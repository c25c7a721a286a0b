package io.throughputoptimizer.core.operator;

/// An operator that runs on one device; its time follows from its [work][#work()] by the roofline rule. Open, as
/// nothing tells one of them from another: a record and its use in a block are all that a new one needs.
public non-sealed interface DeviceOperator extends Operator {

    /// What the operator asks of the device: its memory traffic alone, unless it computes or moves less.
    default OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs());
    }
}
