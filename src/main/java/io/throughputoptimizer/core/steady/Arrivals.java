package io.throughputoptimizer.core.steady;

import java.util.List;

/// When clients send their requests.
public sealed interface Arrivals {

    /// So many requests are outstanding at any time: each that finishes sends the next one after a while.
    ///
    /// @param thinkMillis from an answer to the next request
    /// @param staggerMillis over which clients spread their second requests evenly, so that equal ones
    ///     get out of step: that of request `i` of `c` waits `i / c` of it after its first answer
    record ClosedLoop(int concurrency, double thinkMillis, double staggerMillis) implements Arrivals {
        public ClosedLoop {
            if (concurrency < 1 || !(thinkMillis >= 0) || !(staggerMillis >= 0)) {
                throw new IllegalArgumentException("a closed loop of " + concurrency + " requests that think "
                        + thinkMillis + " ms and are spread over " + staggerMillis + " ms: at least 1, 0 and 0");
            }
        }

        /// Of clients that go on at once: equal requests stay in step.
        public ClosedLoop(int concurrency, double thinkMillis) {
            this(concurrency, thinkMillis, 0);
        }

        /// What the client of a request waits before its next one.
        double pauseMillis(int request) {
            return thinkMillis + (request < concurrency ? staggerMillis * request / concurrency : 0);
        }
    }

    /// Requests come when they came once.
    ///
    /// @param millis when each is sent, from the start of the simulation, never before the one before it
    record Recorded(List<Double> millis) implements Arrivals {
        public Recorded {
            millis = List.copyOf(millis);
        }

        double[] times() {
            return millis.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    /// Requests come whether or not others have been answered: a Poisson process. The first comes after the first
    /// gap.
    ///
    /// Gaps are `-ln(1 - u) 1000 / rate` ms with `u` from SplitMix64. A quasi-random sequence of gaps would be too
    /// regular: queues would come out several times too short.
    record OpenLoop(double ratePerSecond, long seed) implements Arrivals {
        private static final long GAMMA = 0x9E3779B97F4A7C15L;
        private static final long FIRST_FACTOR = 0xBF58476D1CE4E5B9L;
        private static final long SECOND_FACTOR = 0x94D049BB133111EBL;

        public OpenLoop {
            if (!(ratePerSecond > 0)) {
                throw new IllegalArgumentException(ratePerSecond + " requests per second: more than 0");
            }
        }

        /// The sending times of that many requests, in milliseconds.
        double[] times(int count) {
            double[] times = new double[count];
            long state = seed;
            double time = 0;
            for (int request = 0; request < count; request++) {
                state += GAMMA;
                time += -Math.log1p(-uniform(state)) * 1000.0 / ratePerSecond;
                times[request] = time;
            }
            return times;
        }

        private static double uniform(long state) {
            long mixed = (state ^ (state >>> 30)) * FIRST_FACTOR;
            mixed = (mixed ^ (mixed >>> 27)) * SECOND_FACTOR;
            return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1p-53;
        }
    }
}
