package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Operators of a device that nothing tells apart but what they read, write and compute: norms, activations,
/// look-ups, quantization, products, patches and residual streams. Where a comment names no arithmetic, the
/// reference charges none.
public final class DeviceOperators {
    private static final int RMS_OPERATIONS = 5;
    private static final int CLAMPED_SILU_OPERATIONS = 11;
    private static final int CLAMPED_SWIGLU_OPERATIONS = 7;
    private static final int STREAM_BYTES_IN_PLACE = 8;
    private static final int STREAM_NORM_OPERATIONS = 6;
    private static final int STREAM_HEAD_OPERATIONS = 7;
    private static final int STREAM_WEIGHT_OPERATIONS = 8;

    private DeviceOperators() {}

    /// Root-mean-square norm over the last dimension, fused.
    ///
    /// Reads input `[..., width]` and weight `[width]`, writes the result of the input's shape; `5 n(input)`
    /// general operations in float32.
    public static DeviceOperator rmsNorm(Tensor input, Tensor weight, Tensor result) {
        return DeviceOperator.of("tensor_cast.rms_norm.default", List.of(input, weight), List.of(result))
                .withGeneral(DataType.FLOAT32, input.elements().times(RMS_OPERATIONS));
    }

    /// Adds an input of `S h` elements to the residual `[1, S, h]` and normalizes the sum, fused.
    ///
    /// @param weight `[h]`
    /// @param normed `[1, S, h]`
    /// @param sum the new residual, `[1, S, h]`; absent where no operator needs it
    public static DeviceOperator addRmsNorm(
            Tensor residual, Tensor input, Tensor weight, Tensor normed, @Nullable Tensor sum) {
        List<Tensor> inputs = List.of(residual, input, weight);
        return sum == null
                ? DeviceOperator.of("tensor_cast.add_rms_norm.default", inputs, List.of(normed))
                : DeviceOperator.of("tensor_cast.add_rms_norm2.default", inputs, List.of(normed, sum));
    }

    /// Layer norm of `[rows, width]` over the last dimension, in an eager graph.
    ///
    /// @param weight `[width]`
    /// @param bias `[width]`
    /// @param statistics mean and reciprocal deviation of each row, `[rows, 1]` each, float32
    public static DeviceOperator layerNorm(
            Tensor input, Tensor weight, Tensor bias, Tensor result, List<Tensor> statistics) {
        return DeviceOperator.of(
                "aten.native_layer_norm.default",
                List.of(input, weight, bias),
                Stream.concat(Stream.of(result), statistics.stream()).toList());
    }

    /// Gated activation `silu(gate) * up`, fused; all of one shape `[..., width]`.
    public static DeviceOperator swiGlu(Tensor gate, Tensor up, Tensor result) {
        return DeviceOperator.of("tensor_cast.swiglu.default", List.of(gate, up), List.of(result));
    }

    /// Gated activation of DeepSeek-V4's shared experts, `silu(gate) * up` on values within a limit, fused; all
    /// of one shape `[..., width]`.
    ///
    /// Reads gate and up, writes the result; `11 n(result)` general operations in float16.
    public static DeviceOperator clampedSilu(Tensor gate, Tensor up, Tensor result) {
        return activation("tensor_cast.v4_clamped_swiglu.default", gate, up, result, CLAMPED_SILU_OPERATIONS);
    }

    /// Gated activation of MiniMax-M3, `gate sigmoid(alpha gate) (up + 1)` on values within a limit, fused; all
    /// of one shape `[..., width]`.
    ///
    /// Reads gate and up, writes the result; `7 n(result)` general operations in float16.
    public static DeviceOperator clampedSwiGlu(Tensor gate, Tensor up, Tensor result) {
        return activation("tensor_cast.m3_swiglu.default", gate, up, result, CLAMPED_SWIGLU_OPERATIONS);
    }

    private static DeviceOperator activation(String name, Tensor gate, Tensor up, Tensor result, int operations) {
        return DeviceOperator.of(name, List.of(gate, up), List.of(result))
                .withGeneral(DataType.FLOAT16, result.elements().times(operations));
    }

    /// The activation of [#clampedSwiGlu], its result quantized with one scale for each row, fused.
    ///
    /// The reference has it read gate and up and then one of them again, and write result and scales twice;
    /// `7 n(result)` general operations in float16.
    ///
    /// @param gate `[n, width]`, float16, as `up`
    /// @param result the same shape, int8
    /// @param scales `[n, 1]`, float32
    public static DeviceOperator clampedSwiGluQuantize(Tensor gate, Tensor up, Tensor result, Tensor scales) {
        List<Tensor> inputs = List.of(gate, up);
        List<Tensor> outputs = List.of(result, scales);
        Form read = OperatorWork.totalBytes(inputs).plus(gate.bytes());
        return DeviceOperator.of(
                "tensor_cast.m3_swiglu_quant.default",
                inputs,
                outputs,
                OperatorWork.memory(read, OperatorWork.totalBytes(outputs).times(2))
                        .withGeneral(DataType.FLOAT16, result.elements().times(CLAMPED_SWIGLU_OPERATIONS)));
    }

    /// Looks up the embeddings `[1, S, h]` of token ids `[1, S]`, int64, in a table `[V, h]`.
    ///
    /// `reads = bytes(indices) + bytes(result)`, `writes = bytes(result)`: of the table only the rows looked up
    /// are read.
    public static DeviceOperator embedding(Tensor table, Tensor indices, Tensor result) {
        return DeviceOperator.of(
                "aten.embedding.default",
                List.of(table, indices),
                List.of(result),
                OperatorWork.memory(indices.bytes().plus(result.bytes()), result.bytes()));
    }

    /// Gathers rows of a source `[rows, width]` or `[1, rows, width]` by int64 indices in a compiled graph,
    /// where the reference charges the whole source.
    ///
    /// `reads = bytes(source) + bytes(indices)`, `writes = bytes(result)`.
    public static DeviceOperator index(Tensor source, Tensor indices, Tensor result) {
        return DeviceOperator.of("aten.index.Tensor", List.of(source, indices), List.of(result));
    }

    /// Gathers rows of a source `[rows, width]` or `[1, rows, width]` by int64 indices in an eager graph, where
    /// only the rows taken are read.
    ///
    /// `reads = bytes(indices) + n * bytes(source row)`, `writes = bytes(result)`, with `n` indices.
    public static DeviceOperator indexSelect(Tensor source, Tensor indices, Tensor result) {
        Form taken = Tensor.bytes(source.type(), indices.elements().times(source.last()));
        return DeviceOperator.of(
                "aten.index_select.default",
                List.of(source, indices),
                List.of(result),
                OperatorWork.memory(indices.bytes().plus(taken), result.bytes()));
    }

    /// Quantizes a float16 input with a stored 4-byte scale to 8 bits an element.
    public static DeviceOperator quantize(Tensor input, Tensor scale, Tensor result) {
        return DeviceOperator.of("tensor_cast.quantize.default", List.of(input, scale), List.of(result));
    }

    /// Quantizes a float16 input to int8 with a scale computed from it, one of 4 bytes for the whole tensor.
    public static DeviceOperator dynamicQuantize(Tensor input, Tensor result, Tensor scale) {
        return DeviceOperator.of(
                "tensor_cast.dynamic_quantize_symmetric.default", List.of(input), List.of(result, scale));
    }

    /// Quantizes float16 `[..., K]` to MXFP4: a 4-bit payload `[..., K]` and one 8-bit scale for each block of
    /// a row, `[..., ceil(K / blockSize)]`.
    ///
    /// Arithmetic: `2 n(input) + n(scale)` general operations in the input's type.
    public static DeviceOperator dynamicQuantizeMxfp4(Tensor input, Tensor result, Tensor scale) {
        return DeviceOperator.of("tensor_cast.dynamic_quantize_mxfp4.default", List.of(input), List.of(result, scale))
                .withGeneral(input.type(), input.elements().times(2).plus(scale.elements()));
    }

    /// Products of several pairs of matrices that are not quantized: `[g, M, K] x [g, K, N] -> [g, M, N]`.
    ///
    /// Reads both operands, writes the result; `2 g M N K` matrix operations in the operands' type.
    public static DeviceOperator batchMatMul(Tensor left, Tensor right, Tensor result) {
        return DeviceOperator.of("aten.bmm.default", List.of(left, right), List.of(result))
                .withMatrix(left.type(), result.elements().times(2 * left.last()));
    }

    /// Embeds image patches by a convolution as wide as a patch, which is a product `[N, K] x [K, M]` with a
    /// bias.
    ///
    /// Reads patches, weight and bias, writes the result; `2 N K M + N M` matrix operations in the patches'
    /// type, the second part for the bias.
    ///
    /// @param patches `[N, channels, frames, size, size]`, `K` numbers a patch
    /// @param weight `[M, channels, frames, size, size]`
    /// @param bias `[M]`
    /// @param result `[N, M]`
    public static DeviceOperator patchConvolution(Tensor patches, Tensor weight, Tensor bias, Tensor result) {
        Form products = weight.elements().times(2).times(patches.size(0));
        return DeviceOperator.of("aten.convolution.default", List.of(patches, weight, bias), List.of(result))
                .withMatrix(patches.type(), products.plus(result.elements()));
    }

    /// The integer arithmetic that finds, for each image patch, its row and column and its four neighbours in the
    /// position table with their weights. It stands for many small operators: only their sum has been measured.
    ///
    /// Each of them is taken to read and to write one int64 a patch, and pays its own static cost.
    ///
    /// @param grid rows and columns of each image `[images, 3]`, int64
    /// @param operators number of operators that this stands for
    /// @param neighbours `[N, 4]`, int64
    /// @param weights `[N, 4]`, float32
    /// @param coordinates `[N, 2]`, int64
    public static DeviceOperator patchIndexing(
            Tensor grid, Form operators, Tensor neighbours, Tensor weights, Tensor coordinates) {
        Form bytes = Tensor.bytes(DataType.INT64, operators.times(neighbours.size(0)));
        return DeviceOperator.of(
                "vision.patch_indexing",
                List.of(grid),
                List.of(neighbours, weights, coordinates),
                OperatorWork.memory(bytes, bytes).withExtraLaunches(operators.minus(Form.ONE)));
    }

    /// Reciprocal root-mean-square of each token over all its residual streams.
    ///
    /// Reads the streams `[1, S, c h]`, changes 8 bytes an element in place, writes a float32 number for each
    /// token, `[1, S, 1]`; 6 general operations in float32 for each element.
    public static DeviceOperator streamNorm(Tensor streams, Tensor result) {
        Form elements = streams.elements();
        return DeviceOperator.of(
                "tensor_cast.hc_pre_inv_rms.default",
                List.of(streams),
                List.of(result),
                OperatorWork.memory(streams.bytes().plus(elements.times(STREAM_BYTES_IN_PLACE)), result.bytes())
                        .withGeneral(DataType.FLOAT32, elements.times(STREAM_NORM_OPERATIONS)));
    }

    /// Weights of a token's mixtures from their raw values, and the mixture of its residual streams that a part
    /// of a layer takes. The weights among the `c` streams are normalized by rows and columns in `t` rounds.
    ///
    /// Reads raw values, streams, scales and biases, writes the mixture and the weights, and changes `8 S h`
    /// bytes in place. General operations in float32:
    /// `S (3 c + 2 c^2) + S (5 c^2 + 2 c) + S (t - 1) (6 c^2 + 2 c) + 2 S c h`, in float16 `S h`.
    ///
    /// @param raw `[1, S, (2 + c) c]`, float32
    /// @param streams `[1, S, c h]`
    /// @param scales `[3]`, float32
    /// @param biases `[(2 + c) c]`, float32
    /// @param rounds `t`
    /// @param mixture `[1, S, h]`
    /// @param out weights with which the part's result goes to each stream, `[1, S, c]`, float32
    /// @param among weights among the streams, `[1, S, c c]`, float32
    public static DeviceOperator streamMix(
            Tensor raw,
            Tensor streams,
            Tensor scales,
            Tensor biases,
            int rounds,
            Tensor mixture,
            Tensor out,
            Tensor among) {
        List<Tensor> inputs = List.of(raw, streams, scales, biases);
        List<Tensor> outputs = List.of(mixture, out, among);
        double count = out.last();
        double weights = 3 * count + 2 * count * count;
        double first = 5 * count * count + 2 * count;
        double round = 6 * count * count + 2 * count;
        Form read = OperatorWork.totalBytes(inputs).plus(mixture.elements().times(STREAM_BYTES_IN_PLACE));
        return DeviceOperator.of(
                "tensor_cast.hc_pre_sinkhorn.default",
                inputs,
                outputs,
                OperatorWork.memory(read, OperatorWork.totalBytes(outputs))
                        .withGeneral(
                                DataType.FLOAT32,
                                streams.size(1)
                                        .times(weights + first + (rounds - 1) * round)
                                        .plus(streams.elements().times(2)))
                        .withGeneral(DataType.FLOAT16, mixture.elements()));
    }

    /// The residual streams after a part of a layer: each the mixture of all, and its share of the part's result.
    ///
    /// Reads result, streams and weights, writes the streams and changes 8 bytes an element in place; general
    /// operations: `2 c S c h + 2 S c h` in float32, `S c h` in float16.
    ///
    /// @param added the part's result, `[1, S, h]`
    /// @param streams `[1, S, c h]`, as the result
    /// @param out weights with which it goes to each stream, `[1, S, c]`, float32
    /// @param among weights among the streams, `[1, S, c c]`, float32
    public static DeviceOperator streamUpdate(Tensor added, Tensor streams, Tensor out, Tensor among, Tensor result) {
        List<Tensor> inputs = List.of(added, streams, out, among);
        Form elements = streams.elements();
        Form read = OperatorWork.totalBytes(inputs).plus(elements.times(STREAM_BYTES_IN_PLACE));
        return DeviceOperator.of(
                "tensor_cast.hc_post.default",
                inputs,
                List.of(result),
                OperatorWork.memory(read, result.bytes())
                        .withGeneral(DataType.FLOAT32, elements.times(2 * out.last() + 2))
                        .withGeneral(DataType.FLOAT16, elements));
    }

    /// One residual stream from several, after the last layer, with `c` streams of `h` elements.
    ///
    /// Reads streams, matrix, scale and biases, writes the result and changes `8 S h` bytes in place;
    /// `2 S c h c` matrix operations and `7 S c h + 8 S c` general ones in float32.
    ///
    /// @param streams `[1, S, c h]`
    /// @param matrix `[c, c h]`, float32
    /// @param scale `[1]`, float32
    /// @param biases `[c]`, float32
    /// @param result `[1, S, h]`
    public static DeviceOperator streamHead(Tensor streams, Tensor matrix, Tensor scale, Tensor biases, Tensor result) {
        List<Tensor> inputs = List.of(streams, matrix, scale, biases);
        Form elements = streams.elements();
        double count = biases.last();
        Form read = OperatorWork.totalBytes(inputs).plus(result.elements().times(STREAM_BYTES_IN_PLACE));
        return DeviceOperator.of(
                "tensor_cast.hc_head.default",
                inputs,
                List.of(result),
                OperatorWork.memory(read, result.bytes())
                        .withMatrix(DataType.FLOAT32, elements.times(2 * count))
                        .withGeneral(
                                DataType.FLOAT32,
                                elements.times(STREAM_HEAD_OPERATIONS)
                                        .plus(streams.size(1).times(STREAM_WEIGHT_OPERATIONS * count))));
    }
}
