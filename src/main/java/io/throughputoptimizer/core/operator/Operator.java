package io.throughputoptimizer.core.operator;

import java.util.List;

/// One step of a forward pass: which tensors it reads and which it defines.
///
/// Names are those of the reference's operator tables, so that the two can be laid side by side.
public sealed interface Operator permits DeviceOperator, Collective, ReducedProduct, AllToAll, View, UnsafeView {

    String name();

    /// Tensors read, in the reference's argument order.
    List<Tensor> inputs();

    /// Tensors defined.
    List<Tensor> outputs();
}
