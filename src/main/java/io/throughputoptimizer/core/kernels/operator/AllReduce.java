package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.AllReduces.Point;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import java.util.Arrays;
import java.util.List;

/// All-reduces of `n` ranks within the domain of a link, on a full tensor of `M` bytes.
final class AllReduce {
    private AllReduce() {}

    /// All-reduce measured with that number of ranks, interpolated log-log between two points:
    ///
    /// ```
    /// M <= M_first: t_first;      M >= M_last: t_last M / M_last
    /// else:         t_0 (M / M_0)^(ln(t_1 / t_0) / ln(M_1 / M_0))
    /// ```
    ///
    /// With a link `f` times as fast as the measured one, a tensor of `M` bytes takes the time of one of `M /
    /// f` bytes, as in any formula of a latency and a rate.
    static final class Tabled implements Collective {
        private final double[] sizes;
        private final double[] times;
        /// Exponent of the line from each point to the next.
        private final double[] slopes;
        private final double scale;

        private Tabled(double[] sizes, double[] times, double scale) {
            this.sizes = sizes;
            this.times = times;
            this.scale = scale;
            this.slopes = new double[sizes.length - 1];
            for (int index = 0; index < slopes.length; index++) {
                slopes[index] = Math.log(times[index + 1] / times[index]) / Math.log(sizes[index + 1] / sizes[index]);
            }
        }

        /// Returns the interpolation of points.
        ///
        /// @param points at least one, the smallest tensor first
        /// @param measured rate of the link that they were measured on
        /// @param link rate of the link to price
        static Tabled of(List<Point> points, double measured, double link) {
            return new Tabled(
                    points.stream().mapToDouble(Point::bytes).toArray(),
                    points.stream().mapToDouble(Point::microseconds).toArray(),
                    measured / link);
        }

        @Override
        public double microseconds(double bytes) {
            double size = bytes * scale;
            int last = sizes.length - 1;
            if (size <= sizes[0]) {
                return times[0];
            }
            if (size >= sizes[last]) {
                return times[last] * size / sizes[last];
            }
            int found = Arrays.binarySearch(sizes, size);
            int before = found >= 0 ? found : -found - 2;
            return times[before] * Math.pow(size / sizes[before], slopes[before]);
        }
    }

    /// The fastest of three algorithms: one-shot, where each rank reads the whole tensor of every other rank;
    /// two-shot, where each rank reads its share, reduces it and passes it on; and a ring, or a reduction in
    /// the switches.
    ///
    /// ```
    /// ring = (n-1)/n;  base = latency_us + latency_per_rank_us n
    /// time = min( base                         + us(M (n-1),  link * one_shot_efficiency),
    ///             base + two_shot_us           + us(2 M ring, link * two_shot_efficiency),
    ///             base + two_shot_us + ring_us + us(wire,     link * ring_efficiency) )
    /// ```
    ///
    /// @param baseUs base latency, in microseconds
    /// @param oneShot one-shot algorithm
    /// @param twoShot two-shot algorithm
    /// @param ring ring algorithm
    record Form(double baseUs, Way oneShot, Way twoShot, Way ring) implements Collective {
        /// One algorithm.
        ///
        /// @param beyondBaseUs time beyond the base
        /// @param share bytes that a rank moves per byte of the tensor
        /// @param rate bytes per second
        record Way(double beyondBaseUs, double share, double rate) {
            double microseconds(double bytes) {
                return beyondBaseUs + us(bytes * share, rate);
            }
        }

        /// Returns the formula with measured parameters.
        ///
        /// @param wireShare bytes on the wire per byte of the tensor
        /// @param link bytes per second
        static Form of(double wireShare, double link, ParameterSet set, double ranks) {
            double twoShot = set.get("two_shot_us");
            return new Form(
                    set.get("latency_us") + set.get("latency_per_rank_us") * ranks,
                    new Way(0, ranks - 1, link * set.get("one_shot_efficiency")),
                    new Way(twoShot, 2 * (ranks - 1) / ranks, link * set.get("two_shot_efficiency")),
                    new Way(twoShot + set.get("ring_us"), wireShare, link * set.get("ring_efficiency")));
        }

        @Override
        public double microseconds(double bytes) {
            return baseUs
                    + Math.min(
                            oneShot.microseconds(bytes),
                            Math.min(twoShot.microseconds(bytes), ring.microseconds(bytes)));
        }
    }
}
