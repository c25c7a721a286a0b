package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_REMAINDER;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_TOKENS;
import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.attention.AttentionTraits.Window;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import io.throughputoptimizer.core.operator.attention.SharedKeyAttention;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Attention to a window and to compressed entries, compiled or eager: in both, each linear layer quantizes its
/// input by itself.
final class CompressedAttention implements AttentionBlock {
    private final CompressedShard shard;
    private final CompressedSpec spec;
    private final AttentionTraits traits;
    private final Place place;
    private final LinearLayers linears;
    private final PassRecorder pass;
    private final EntryCompressor compressor;

    CompressedAttention(
            CompressedShard shard, AttentionTraits traits, Place place, LinearLayers linears, PassRecorder pass) {
        this.shard = shard;
        this.spec = shard.spec();
        this.traits = traits;
        this.place = place;
        this.linears = linears;
        this.pass = pass;
        this.compressor = new EntryCompressor(shard, pass);
    }

    /// @param compressed `[1, S, q]`, normalized unless the norm quantizes
    /// @param heads `[1, S, a, D]`
    private record Queries(Tensor compressed, Tensor heads) {}

    @Override
    public Tensor record(Activation input, LayerInputs inputs) {
        CompressedShard.Weights weights = shard.weights();
        Tensor hidden = input.values();
        Queries queries = queries(hidden, weights, inputs);
        Tensor latent = latent(hidden, queries, weights, inputs);
        Tensor selected = spec.compression() == Compression.FINE
                ? new EntryIndexer(shard, compressor, linears, pass).select(hidden, queries.compressed(), inputs)
                : null;
        Tensor table = tables().table(selected);
        Tensor attended = attend(queries.heads(), hidden, latent, table, inputs);
        rotate(attended, inputs, true);
        return output(attended, weights, inputs.scales());
    }

    private Queries queries(Tensor hidden, CompressedShard.Weights weights, LayerInputs inputs) {
        LayerScales scales = inputs.scales();
        Tensor down = pass.unflatten(project(hidden, weights.queryDown(), scales));
        boolean fuses = shard.isCompiled()
                && spec.compression() != Compression.FINE
                && linears.fusesWithNorm(shard.rmsNormEpsilon());
        Tensor compressed;
        Tensor up;
        if (fuses) {
            Activation normed = linears.normQuantize(down, null, Tensor.half(down.last()), scales);
            compressed = down;
            up = linears.apply(normed.with(pass.flatten(normed.values())), List.of(weights.queryUp()), scales);
        } else {
            compressed = linears.fusedNorm(down);
            up = project(compressed, weights.queryUp(), scales);
        }
        Tensor heads = normalized(pass.view(up, 1, TOKENS.form(), shard.heads(), spec.headSize()));
        rotate(heads, inputs, false);
        return new Queries(compressed, heads);
    }

    /// Each head divided by its root mean square, in single operators on float16.
    private Tensor normalized(Tensor heads) {
        Tensor squares = pass.elementwise(Kind.POWER, heads.sameShape(), heads);
        Tensor mean = pass.elementwise(Kind.MEAN, heads.withLast(1), squares);
        Tensor shifted = pass.elementwise(Kind.ADD, mean.sameShape(), mean);
        Tensor factor = pass.elementwise(Kind.RECIPROCAL_SQUARE_ROOT, mean.sameShape(), shifted);
        Kind multiply = shard.isCompiled() ? Kind.MULTIPLY : Kind.MULTIPLY_IN_PLACE;
        return pass.elementwise(multiply, heads.sameShape(), heads, factor);
    }

    /// The entry of each token, `[1, S, D]`: what is not rotated passes through FP8.
    private Tensor latent(Tensor hidden, Queries queries, CompressedShard.Weights weights, LayerInputs inputs) {
        Tensor numbers = pass.view(queries.heads(), 1, TOKENS.form(), 1);
        Tensor zeros = pass.elementwise(Kind.MULTIPLY, numbers.sameShape(), numbers);
        Tensor states = pass.elementwise(Kind.ADD, hidden.sameShape(), hidden, zeros);
        Tensor entry = linears.fusedNorm(pass.unflatten(project(states, weights.entry(), inputs.scales())));
        rotate(entry, inputs, false);
        Tensor plain = pass.view(entry, entry.withLast(shard.plain()));
        Tensor coded = plain.as(DataType.FLOAT8_E4M3);
        pass.add(DeviceOperators.dynamicQuantize(plain, coded, Tensor.of(DataType.FLOAT32, TOKENS.form())));
        Tensor decoded = pass.elementwise(shard.isCompiled() ? Kind.CONVERT : Kind.CAST, plain.sameShape(), coded);
        if (!shard.isCompiled()) {
            pass.elementwise(Kind.COPY_IN_PLACE, plain.sameShape(), plain, decoded);
            return entry;
        }
        Tensor copied = pass.elementwise(Kind.COPY, plain.sameShape(), plain, decoded);
        return pass.elementwise(Kind.SLICE_SCATTER, entry.sameShape(), entry, copied);
    }

    private EntryTables tables() {
        return new EntryTables(spec.compression(), place, traits.window(), shard.isCompiled(), pass);
    }

    private Tensor attend(Tensor heads, Tensor hidden, Tensor latent, Tensor table, LayerInputs inputs) {
        Tensor cache = shard.cache();
        boolean decodes = traits.window() == Window.CACHED;
        boolean compresses = spec.compression() != Compression.NONE;
        store(latent, cache);
        if (compresses) {
            compressor.compress(hidden, cache, inputs);
        }
        CompressedLoads loads = CompressedLoads.of(spec.compression());
        Tensor entries = latent;
        if (compresses && !decodes) {
            Form all = TOKENS.form().plus(loads.groups());
            Tensor joined = Tensor.half(1, all, latent.last());
            Tensor made = pass.view(latent, 1, loads.groups(), latent.last());
            entries = pass.elementwise(Kind.CONCATENATE, joined, latent, made);
        }
        return pass.add(new SharedKeyAttention(
                heads,
                decodes ? List.of() : List.of(entries),
                cache,
                Tensor.of(DataType.FLOAT32, spec.heads()),
                table,
                loads.tiles(),
                decodes ? shard.entryWidth() : spec.headSize(),
                heads.sameShape()));
    }

    /// Stores the last tokens of the pass that the window holds: in two parts where they break over it. Of
    /// these, a compiled graph keeps the first alone where a compressor follows.
    private void store(Tensor latent, Tensor cache) {
        Form window = Form.of(spec.window());
        boolean dropsSecond = shard.isCompiled() && spec.compression() != Compression.NONE;
        List<Form> parts = new ArrayList<>();
        switch (traits.window()) {
            case NONE, CACHED, WITHIN -> parts.add(TOKENS.form());
            case WHOLE -> parts.add(window);
            case BROKEN -> {
                parts.add(window.minus(WINDOW_REMAINDER.form()));
                if (!dropsSecond) {
                    parts.add(WINDOW_REMAINDER.form());
                }
            }
        }
        parts.forEach(rows ->
                pass.addEffect(AttentionOperators.scatterUpdate(pass.view(latent, 1, rows, latent.last()), cache)));
    }

    private Tensor output(Tensor attended, CompressedShard.Weights weights, LayerScales scales) {
        long groups = shard.groups();
        long rank = spec.output().rank();
        Tensor rows = pass.view(
                attended, Tensor.half(TOKENS.form(), shard.groupWidth()).stacked(Form.of(groups)));
        Tensor vectors = pass.add(DeviceOperators.batchMatMul(
                rows,
                unpacked(weights.group()),
                Tensor.half(TOKENS.form(), rank).stacked(Form.of(groups))));
        Tensor batched = pass.view(vectors, 1, TOKENS.form(), groups, rank);
        Tensor ordered =
                groups > 1 && !traits.oneToken() ? pass.elementwise(Kind.CLONE, batched.sameShape(), batched) : batched;
        Activation quantized = linears.quantize(pass.view(ordered, TOKENS.form(), groups * rank), scales);
        return linears.applyAndReduce(quantized, weights.output(), scales, shard.tensorParallelGroup());
    }

    /// The projection of groups in float16, `[g, K, N]`. A compiled graph finds it unpacked.
    private Tensor unpacked(LinearWeight weight) {
        Tensor half =
                Tensor.half(shard.groups(), shard.groupWidth(), spec.output().rank());
        boolean casts = !shard.isCompiled() && linears.isQuantized() && isOneByte(weight.weight());
        return casts ? pass.elementwise(Kind.CAST, half, half.as(weight.weight().type())) : half;
    }

    private static boolean isOneByte(Tensor weight) {
        return weight.type() == DataType.INT8 || weight.type() == DataType.FLOAT8_E5M2;
    }

    private void rotate(Tensor values, LayerInputs inputs, boolean back) {
        pass.addEffect(AttentionOperators.rotateInPlace(
                values, inputs.rotary().cosines(), inputs.rotary().sines(), spec.rotated(), back));
    }

    private Tensor project(Tensor input, LinearWeight weight, LayerScales scales) {
        return linears.apply(linears.quantize(pass.flatten(input), scales), List.of(weight), scales);
    }

    @Override
    public boolean takesQuantized() {
        return false;
    }

    @Override
    public CompressedShard shard() {
        return shard;
    }

    /// The table of entries that each token attends to: the window's, then those selected. Only a selection by an
    /// indexer differs from layer to layer: other tables a compiled graph makes in the first layers of their kind.
    ///
    /// @param pass recorder of operators
    record EntryTables(Compression compression, Place place, Window window, boolean compiled, PassRecorder pass) {

        /// @param selected entries that the indexer selected, `[1, S, k]`; null without an indexer
        /// @return `[1, S, w]`, int32
        Tensor table(@Nullable Tensor selected) {
            Form width =
                    WINDOW_TOKENS.form().plus(CompressedLoads.of(compression).selected());
            boolean known = compiled && place == Place.LATER && compression != Compression.FINE;
            if (known) {
                return seen(Tensor.of(DataType.INT32, WINDOW_TOKENS.form()), width);
            }
            Form others = width.minus(WINDOW_TOKENS.form());
            Tensor recent = seen(ofWindow(), WINDOW_TOKENS.form());
            Tensor all = switch (compression) {
                case NONE -> recent;
                case FINE -> join(recent, requireNonNull(selected), width);
                case COARSE -> join(recent, seen(range(others), others), width);
            };
            return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, all.as(DataType.INT32), all);
        }

        private Tensor join(Tensor recent, Tensor rest, Form width) {
            return pass.elementwise(Kind.CONCATENATE, recent.withLast(width), recent, rest);
        }

        /// Positions in the window, which a compiled graph counts up in the first layers unless they decode.
        private Tensor ofWindow() {
            boolean counts = !compiled || (place == Place.FIRST && window != Window.CACHED);
            return counts ? range(WINDOW_TOKENS.form()) : Tensor.of(DataType.INT64, WINDOW_TOKENS.form());
        }

        private Tensor range(Form size) {
            return pass.elementwise(compiled ? Kind.IOTA : Kind.ARANGE, Tensor.of(DataType.INT64, size));
        }

        /// Returns a view of one set of positions for every token.
        private Tensor seen(Tensor positions, Form width) {
            return pass.view(
                    positions, Tensor.of(positions.type(), 1, TOKENS.form(), 1).withLast(width));
        }
    }
}
