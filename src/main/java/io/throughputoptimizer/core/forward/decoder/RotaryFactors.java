package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.Rotary;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.DeviceOperators;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Rotary factors of the tokens of a pass, looked up or computed: of one width, or of each that layers turn heads by.
final class RotaryFactors {
    private final Deployment deployment;
    private final GraphStyle graph;
    private final PassRecorder pass;
    /// In the order of the layers.
    private final List<Long> widths;

    private final Map<Long, Rotary> byWidth = new LinkedHashMap<>();

    RotaryFactors(Deployment deployment, GraphStyle graph, PassRecorder pass) {
        this.deployment = deployment;
        this.graph = graph;
        this.pass = pass;
        this.widths = Rotary.widths(deployment);
    }

    /// Writes them down. Of layers of each kind that compute theirs the reference drops all but the first from compiled
    /// graphs; which of several kinds of one width a layer turns by does not show in its cost.
    ///
    /// @param positions `[S]`
    /// @return factors of the first width
    Rotary record(Tensor positions) {
        boolean computes = deployment.model().computesRotations();
        boolean compiled = deployment.execution().compiled();
        ComputedRotary computed = new ComputedRotary(deployment, compiled, pass);
        for (long width : widths) {
            byWidth.put(
                    width,
                    computes
                            ? computed.alongOneAxis(positions, width)
                            : new Rotary(gathered(positions, width), gathered(positions, width)));
        }
        boolean drops = compiled && deployment.execution().accounting() == PassAccounting.DOCUMENTED;
        for (int other = widths.size(); !drops && other < deployment.model().computedRotations(); other++) {
            computed.alongOneAxis(positions, widths.getFirst());
        }
        return of(widths.getFirst());
    }

    /// The inputs of layers with factors as wide as their heads, where they are of several widths.
    ///
    /// @param repeated whether layers are those that repeat others, on inputs of their own
    LayerInputs with(LayerInputs inputs, AttentionSpec attention, boolean repeated) {
        long width = Rotary.width(deployment, attention);
        if (width == 0 || width == widths.getFirst()) {
            return inputs;
        }
        return inputs.with(repeated ? Rotary.of(deployment, width) : of(width));
    }

    private Rotary of(long width) {
        Rotary factors = byWidth.get(width);
        if (factors == null) {
            throw new IllegalStateException("no rotary factors of width " + width);
        }
        return factors;
    }

    private Tensor gathered(Tensor positions, long width) {
        DataType type = Rotary.type(deployment);
        Tensor table = Tensor.of(type, deployment.model().maxPositions(), width);
        Tensor rows = Tensor.of(type, TOKENS.form(), width);
        return pass.unflatten(
                readsRows()
                        ? pass.add(DeviceOperators.indexSelect(table, positions, rows))
                        : graph.gather(table, positions, rows));
    }

    /// Returns whether a look-up in a large rotary table reads only the rows it needs.
    private boolean readsRows() {
        return deployment.execution().accounting() == PassAccounting.STEADY
                && deployment.model().compressed().isPresent();
    }

    /// Two tables of each width, or, where factors are computed, the frequencies of each kind twice in float32.
    double bytes() {
        double kinds = 0;
        if (deployment.model().computesRotations()) {
            for (int kind = 0; kind < deployment.model().computedRotations(); kind++) {
                kinds += DataType.FLOAT32.bytes(widths.get(kind < widths.size() ? kind : 0));
            }
            return kinds;
        }
        for (long width : widths) {
            kinds += 2
                    * Rotary.type(deployment).bytes((double) deployment.model().maxPositions() * width);
        }
        return kinds;
    }
}
