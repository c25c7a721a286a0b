package io.throughputoptimizer.core.cost;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import io.throughputoptimizer.core.operator.AllToAll;
import io.throughputoptimizer.core.operator.Collective;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.FormTable;
import io.throughputoptimizer.core.operator.Operator;
import io.throughputoptimizer.core.operator.ProcessGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Time of a collective. With `n` ranks, `M` bytes of input on each, bandwidth `B` and latency `l` of the links
/// the group uses:
///
///     all-reduce     = min(2 (n-1) l + 2 (n-1) M/n / B,  2 log2(n) l + 2 M / B)
///     all-gather     = min((n-1) l, log2(n) l) + (n-1) M / B
///     reduce-scatter = min((n-1) l, log2(n) l) + (n-1) (M/n) / B
///     all-to-all     = min((n-1) l, log2(n) l) + V / B
///
/// where `V` is the larger of the bytes a rank sends and receives.
///
/// The operator takes the larger of that and the memory time of reading its input and writing its result, plus
/// the static cost of communication. A group of one rank takes no communication time.
///
/// The links are those of the outermost grid dimension in which the ranks differ. In a full mesh a group of
/// `n` in a block of `m` devices has `(n-1)/(m-1)` of the bandwidth.
final class CollectiveCostModel {
    private final Interconnect interconnect;
    private final double staticSeconds;
    private final RooflineCostModel roofline;

    CollectiveCostModel(DeviceProfile device) {
        this.interconnect = device.interconnect();
        this.staticSeconds = device.staticCosts().communicationSeconds();
        this.roofline = new RooflineCostModel(device);
    }

    OperatorPrice price(Collective collective, FormTable.Builder forms) {
        return new CollectivePrice(
                this,
                collective.kind(),
                links(collective.group()),
                forms.add(collective.input().bytes()),
                forms.add(moved(collective)));
    }

    OperatorPrice price(AllToAll exchange, FormTable.Builder forms) {
        return new CollectivePrice(
                this, null, links(exchange.group()), forms.add(exchange.exchangedBytes()), forms.add(moved(exchange)));
    }

    /// @param kind kind of collective; null for an all-to-all
    /// @param bytes index of the bytes sent over the links
    /// @param moved index of the bytes read and written
    private record CollectivePrice(
            CollectiveCostModel model, Collective.@Nullable Kind kind, Links links, int bytes, int moved)
            implements OperatorPrice {
        @Override
        public OperatorCost at(double[] values) {
            double exchanged = values[bytes];
            double seconds = kind == null ? links.exchangeSeconds(exchanged) : links.seconds(kind, exchanged);
            double memory = model.roofline.memorySeconds(values[moved]);
            return new OperatorCost(Math.max(seconds, memory) + model.staticSeconds, memory, seconds, 0, 0);
        }
    }

    /// Returns the bytes read and written.
    private static Form moved(Operator operator) {
        return operator.inputs()
                .getFirst()
                .bytes()
                .plus(operator.outputs().getFirst().bytes());
    }

    /// Links of a group, in bytes per second and seconds.
    private record Links(int ranks, double bandwidth, double latency, double treeSteps) {
        Links(int ranks, double bandwidth, double latency) {
            this(ranks, bandwidth, latency, Math.log(ranks) / Math.log(2) * latency);
        }

        double fewestSteps() {
            return Math.min((ranks - 1) * latency, treeSteps);
        }

        double exchangeSeconds(double bytes) {
            return ranks == 1 ? 0 : fewestSteps() + bytes / bandwidth;
        }

        double seconds(Collective.Kind kind, double bytes) {
            if (ranks == 1) {
                return 0;
            }
            return switch (kind) {
                case ALL_REDUCE ->
                    Math.min(
                            2 * (ranks - 1) * latency + 2 * (ranks - 1) * bytes / ranks / bandwidth,
                            2 * treeSteps + 2 * bytes / bandwidth);
                case ALL_GATHER -> fewestSteps() + (ranks - 1) * bytes / bandwidth;
                case REDUCE_SCATTER -> fewestSteps() + (ranks - 1) * (bytes / ranks) / bandwidth;
            };
        }
    }

    private Links links(ProcessGroup group) {
        int level = level(group);
        double latency = interconnect.links().get(level).latencySeconds();
        return new Links(group.size(), bandwidth(level, group.size()), latency);
    }

    /// Returns the outermost dimension in which the group's ranks differ, or the innermost if they do not.
    /// Ranks beyond the grid wrap around in its outermost dimension.
    ///
    /// Member `m` has coordinate `m stride / below mod size`. Reducing the stride by `below size` does not
    /// change it: members then leave 0 with the first step, or take steps too short to pass over other
    /// coordinates.
    private int level(ProcessGroup group) {
        List<Integer> grid = interconnect.grid();
        for (int level = 0; level < grid.size(); level++) {
            long below = interconnect.devicesBelow(level + 1);
            long wrap = below * grid.get(level);
            if ((group.size() - 1L) * (group.stride() % wrap) >= below) {
                return level;
            }
        }
        return grid.size() - 1;
    }

    private double bandwidth(int level, int ranks) {
        Interconnect.Link link = interconnect.links().get(level);
        return switch (link.topology()) {
            case CLOS -> link.effectiveBytesPerSecond();
            case FULL_MESH ->
                link.effectiveBytesPerSecond() * ((ranks - 1) / (double) (interconnect.devicesBelow(level) - 1));
        };
    }
}
