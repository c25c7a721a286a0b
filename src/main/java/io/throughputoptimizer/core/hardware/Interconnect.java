package io.throughputoptimizer.core.hardware;

import java.util.List;

/// The grid of connected devices, and the links of each of its dimensions.
///
/// Ranks are laid out row-major, the innermost (last) dimension fastest. Two ranks talk over the links of
/// the outermost dimension in which their coordinates differ.
///
/// @param grid devices per dimension, outermost first, each at least 2
/// @param links one entry per dimension, in the same order
public record Interconnect(List<Integer> grid, List<Link> links) {

    /// Maximum number of devices in a grid.
    public static final int MAX_DEVICES = 1_000_000_000;

    /// Topology of one dimension.
    public enum Topology {
        /// Any pair at full bandwidth, through switches.
        CLOS,
        /// A dedicated link between every two devices: a group smaller than the mesh gets only its share of the
        /// bandwidth.
        FULL_MESH
    }

    /// Links of one dimension.
    ///
    /// @param bytesPerSecond peak bandwidth of one device
    /// @param latencySeconds time before the first byte arrives
    /// @param efficiency achievable fraction of the peak, in (0, 1]
    public record Link(double bytesPerSecond, double latencySeconds, double efficiency, Topology topology) {
        public Link {
            Rates.requirePositive("bandwidth", bytesPerSecond);
            Rates.requireNotNegative("latency", latencySeconds);
            Rates.requireShare("efficiency", efficiency);
        }

        /// Returns the effective bandwidth in bytes per second.
        public double effectiveBytesPerSecond() {
            return bytesPerSecond * efficiency;
        }
    }

    public Interconnect {
        grid = List.copyOf(grid);
        links = List.copyOf(links);
        if (grid.isEmpty()) {
            throw new IllegalArgumentException("grid is empty: at least one dimension is needed");
        }
        for (int size : grid) {
            if (size < 2) {
                throw new IllegalArgumentException(
                        "grid " + grid + " has a dimension of " + size + ": at least 2 each");
            }
        }
        if (product(grid) > MAX_DEVICES) {
            throw new IllegalArgumentException("grid " + grid + " holds too many devices: at most " + MAX_DEVICES);
        }
        if (links.size() != grid.size()) {
            throw new IllegalArgumentException(
                    "grid " + grid + " has " + grid.size() + " dimensions but " + links.size() + " links: one each");
        }
    }

    /// Returns the number of devices in the grid.
    public long deviceCount() {
        return devicesBelow(0);
    }

    /// Returns the number of devices in one block of dimension `level` and the dimensions inside it.
    public long devicesBelow(int level) {
        return (long) product(grid.subList(level, grid.size()));
    }

    /// Returns the product as a `double`, which cannot overflow.
    private static double product(List<Integer> sizes) {
        return sizes.stream().mapToDouble(Integer::doubleValue).reduce(1, (a, b) -> a * b);
    }
}
