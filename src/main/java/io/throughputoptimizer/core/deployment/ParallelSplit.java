package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.List;

/// Requested parallel sizes of one instance. The devices not used by `tp` form data parallel ranks; those not
/// used by `ep * moeDp` share each expert. Dense models ignore `ep` and `moeDp`.
///
/// @param devices devices of the instance
/// @param dcp neighbors of each `tp` group that share the KV cache of a sequence
public record ParallelSplit(int devices, int tp, int ep, int moeDp, int dcp) {

    /// Returns the reasons the devices cannot be split this way; empty if they can.
    public List<Obstacle> obstacles(ModelArchitecture model) {
        List<Obstacle> obstacles = new ArrayList<>();
        if (devices % tp != 0) {
            obstacles.add(indivisible(Obstacle.Part.TENSOR_PARALLEL, tp, "num_devices " + devices));
        }
        if (tp % dcp != 0) {
            obstacles.add(indivisible(Obstacle.Part.DECODE_CONTEXT_PARALLEL, dcp, "tp " + tp));
        }
        if (model.experts().isPresent()) {
            if (devices % ep != 0) {
                obstacles.add(indivisible(Obstacle.Part.EXPERT_PARALLEL, ep, "num_devices " + devices));
            } else if (devices / ep % moeDp != 0) {
                obstacles.add(indivisible(Obstacle.Part.EXPERT_REPLICAS, moeDp, "num_devices / ep = " + devices / ep));
            }
        }
        return obstacles;
    }

    private static Obstacle indivisible(Obstacle.Part part, int size, String whole) {
        return new Obstacle(part, "must divide " + whole + ", got " + size);
    }

    /// Returns the resulting layout. Requires that there is no obstacle.
    public ParallelLayout layout(ModelArchitecture model) {
        ExpertLayout experts = model.experts().isPresent() ? new ExpertLayout(ep, devices / ep / moeDp, moeDp) : null;
        return new ParallelLayout(tp, 1, devices / tp, dcp, experts);
    }
}
