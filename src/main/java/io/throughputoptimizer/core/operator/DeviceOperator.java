package io.throughputoptimizer.core.operator;

/// An operator that runs on one device; its time follows from its [work][#work()] by the roofline rule.
public sealed interface DeviceOperator extends Operator
        permits AddRmsNorm,
                ApplyRope,
                Attention,
                DynamicQuantize,
                DynamicQuantizeMxfp4,
                Elementwise,
                Embedding,
                Index,
                IndexSelect,
                MatMul,
                NormQuantize,
                QuantizedLinear,
                Quantize,
                ReshapeAndCache,
                RmsNorm,
                SwiGlu {

    /// What the operator asks of the device.
    OperatorWork work();
}
