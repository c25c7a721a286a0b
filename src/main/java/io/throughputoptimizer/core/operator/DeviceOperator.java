package io.throughputoptimizer.core.operator;

/// An operator that runs on one device; its time follows from its [work][#work()] by the roofline rule.
public sealed interface DeviceOperator extends Operator
        permits AddRmsNorm,
                ApplyRope,
                Attention,
                BlockAttention,
                BlockSelection,
                CacheIndexKeys,
                CausalConvolution,
                ClampedSwiGlu,
                ClampedSwiGluQuantize,
                ConcatAndCache,
                DeltaGating,
                DeltaRule,
                DynamicQuantize,
                DynamicQuantizeMxfp4,
                Elementwise,
                Embedding,
                FusedRope,
                GatedNorm,
                GroupedMatMul,
                GroupedQuantizedLinear,
                Index,
                IndexSelect,
                InPlaceDivide,
                InitRouting,
                LatentAttention,
                LatentProjection,
                LayerNorm,
                LinearAttention,
                MatMul,
                NormQuantize,
                PatchConvolution,
                PatchIndexing,
                Quantize,
                QuantizedLinear,
                ReshapeAndCache,
                RmsNorm,
                SparseIndexer,
                SwiGlu,
                TopK,
                UnpermuteTokens {

    /// What the operator asks of the device: its memory traffic alone, unless it computes or moves less.
    default OperatorWork work() {
        return OperatorWork.moving(inputs(), outputs());
    }
}
