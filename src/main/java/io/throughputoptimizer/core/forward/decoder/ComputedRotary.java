package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;
import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.MatMul;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Rotary factors that are computed instead of looked up: those of draft layers, and those of models that attend to
/// selected blocks.
///
/// @param compiled whether the graph is; an eager one multiplies positions and frequencies as matrices
/// @param pass recorder of operators
record ComputedRotary(Deployment deployment, boolean compiled, PassRecorder pass) {

    /// Factors of draft layers.
    ///
    /// @param positions `[S]`
    /// @param others factors of the other layers, for draft layers that do not rotate or that share them
    Rotary ofDrafts(Tensor positions, Rotary others) {
        return switch (requireNonNull(deployment.model().drafts()).attention()) {
            case AttentionSpec.GroupedQuery grouped ->
                grouped.rotarySections().isEmpty()
                        ? alongOneAxis(positions)
                        : alongAxes(positions, grouped.rotarySections());
            case AttentionSpec.GatedDelta _, AttentionSpec.BlockSparse _, HybridSpec _ -> others;
            case AttentionSpec.MultiHeadLatent _, CompressedSpec _ -> alongOneAxis(positions);
        };
    }

    private Rotary alongOneAxis(Tensor positions) {
        return alongOneAxis(positions, Rotary.width(deployment));
    }

    /// @param positions `[S]`
    /// @param width width of the factors
    Rotary alongOneAxis(Tensor positions, long width) {
        Tensor row = pass.view(positions, Tensor.of(positions.type(), 1, 1, 1).withLast(TOKENS.form()));
        Tensor wide = convert(row, DataType.FLOAT32);
        Tensor frequencies = Tensor.of(DataType.FLOAT32, 1, width / 2, 1);
        Tensor angles = Tensor.of(DataType.FLOAT32, 1, width / 2, 1).withLast(TOKENS.form());
        if (compiled) {
            pass.elementwise(Kind.MULTIPLY, angles, frequencies, wide);
        } else {
            pass.add(new MatMul(frequencies, wide, null, angles));
        }
        Tensor doubled = pass.view(angles, 1, TOKENS.form(), width);
        Tensor both = pass.elementwise(compiled ? Kind.CLONE : Kind.CONCATENATE, doubled.sameShape(), doubled);
        return new Rotary(narrow(function(Kind.COSINE, both)), narrow(function(Kind.SINE, both)));
    }

    /// Positions along several axes: the angles of all axes are computed, and sections of the first are replaced
    /// by those of the others.
    private Rotary alongAxes(Tensor positions, List<Integer> sections) {
        long axes = sections.size();
        long pairs = Rotary.width(deployment) / 2;
        Tensor rows =
                pass.view(positions, Tensor.of(positions.type(), axes, 1, 1).withLast(TOKENS.form()));
        Tensor wide = pass.elementwise(Kind.CONVERT, rows.as(DataType.FLOAT32), rows);
        Tensor frequencies = Tensor.of(DataType.FLOAT32, axes, pairs, 1);
        Tensor angles = Tensor.of(DataType.FLOAT32, axes, TOKENS.form(), pairs);
        pass.elementwise(Kind.MULTIPLY, angles, frequencies, wide);
        Tensor cosines = weave(function(Kind.COSINE, angles), sections);
        Tensor sines = weave(function(Kind.SINE, angles), sections);
        return new Rotary(narrow(doubled(cosines)), narrow(doubled(sines)));
    }

    private Tensor function(Kind function, Tensor angles) {
        Tensor values = pass.elementwise(function, angles.sameShape(), angles);
        return pass.elementwise(Kind.MULTIPLY, values.sameShape(), values);
    }

    /// @param values values of all axes, `[axes, S, R / 2]`
    private Tensor weave(Tensor values, List<Integer> sections) {
        Tensor all = values;
        for (int section : sections.subList(1, sections.size())) {
            Tensor first = pass.view(all, TOKENS.form(), values.last());
            Tensor other = pass.view(all, TOKENS.form(), section);
            Tensor place = pass.view(first, TOKENS.form(), section);
            Tensor copied = pass.elementwise(Kind.COPY, place.sameShape(), place, other);
            Tensor replaced = pass.elementwise(Kind.SLICE_SCATTER, first.sameShape(), first, copied);
            all = pass.elementwise(Kind.SELECT_SCATTER, all.sameShape(), all, replaced);
        }
        return all;
    }

    private Tensor doubled(Tensor woven) {
        Tensor whole = pass.view(woven, 1, TOKENS.form(), 2 * woven.last());
        return pass.elementwise(Kind.CLONE, whole.sameShape(), whole);
    }

    private Tensor narrow(Tensor factors) {
        return deployment.model().rotatesWide() ? factors : convert(factors, DataType.FLOAT16);
    }

    private Tensor convert(Tensor input, DataType type) {
        return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
    }
}
