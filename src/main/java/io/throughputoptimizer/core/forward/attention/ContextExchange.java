package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;

/// The exchange between ranks that share the KV cache of a sequence (decode context parallelism). Before attention
/// they exchange all queries; after it each rank's results over its part, with their log-sum-exp, in float32.
///
/// What is exchanged is tied to what follows by sums with scalars, as in the reference, which does not compute with it.
///
/// @param ranks number of ranks that share a sequence, `P`
/// @param pass recorder of operators
record ContextExchange(int ranks, boolean compiled, PassRecorder pass) {

    /// The queries `[S, ..., d]` of all ranks, as `result`.
    Tensor gather(Tensor query, Tensor result) {
        return pass.add(new Collective(Collective.Kind.ALL_GATHER, query, result, group()));
    }

    /// Exchanges results of grouped-query attention, which does not use the gathered queries.
    ///
    /// @param attended `[S, heads D]`
    /// @param heads heads of one rank
    Tensor tied(Tensor attended, long heads, Tensor gathered) {
        Tensor exchanged = tied(attended, exchange(attended, heads, attended.last() / heads));
        Tensor one = scalar(gathered);
        return tied(exchanged, pass.elementwise(Kind.MULTIPLY, one.sameShape(), one));
    }

    /// Adds a scalar to a result of attention, and nothing to what it says.
    Tensor tied(Tensor result, Tensor scalar) {
        return pass.elementwise(Kind.ADD, result.sameShape(), result, scalar);
    }

    /// Exchanges results: of the `a P` heads of all ranks, `width + 1` numbers for each of `S` tokens.
    ///
    /// @param attended result of attention
    /// @param heads heads of one rank, `a`
    /// @return a float16 scalar that depends on what was exchanged
    Tensor exchange(Tensor attended, long heads, long width) {
        Tensor buffer = Tensor.of(DataType.FLOAT32, heads * ranks, TOKENS.form().times(width + 1));
        Tensor filled = pass.elementwise(Kind.EMPTY, buffer);
        Tensor one = convert(scalar(attended), DataType.FLOAT32);
        Tensor tie = pass.elementwise(Kind.MULTIPLY, one.sameShape(), one);
        Tensor sent = pass.elementwise(Kind.ADD, filled.sameShape(), filled, tie);
        Form bytes = Tensor.bytes(DataType.FLOAT32, TOKENS.form().times((double) (ranks - 1) * heads * (width + 1)));
        Tensor received = pass.add(new AllToAll(sent, sent.sameShape(), bytes, group()));
        Tensor back = convert(scalar(received), DataType.FLOAT16);
        return pass.elementwise(Kind.MULTIPLY, back.sameShape(), back);
    }

    /// Tokens of each request that this rank attends to, `max(1, ceil(s / P))`.
    ///
    /// @param sequenceLengths `[B]`
    Tensor share(Tensor sequenceLengths) {
        Tensor sum = requests(Kind.ADD, sequenceLengths);
        return requests(Kind.CLAMP_MINIMUM, requests(Kind.DIVIDE_WHOLE, sum));
    }

    private Tensor requests(Kind kind, Tensor lengths) {
        return pass.elementwise(kind, Tensor.of(DataType.INT64, REQUESTS.form()), lengths);
    }

    private ProcessGroup group() {
        return ProcessGroup.contiguous(ranks);
    }

    /// The first element, seen through a view of all.
    private Tensor scalar(Tensor source) {
        Tensor flat = pass.view(source, Tensor.of(source.type()).stacked(source.elements()));
        return pass.view(flat, Tensor.of(source.type()));
    }

    private Tensor convert(Tensor scalar, DataType type) {
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, scalar.as(type), scalar);
    }
}
