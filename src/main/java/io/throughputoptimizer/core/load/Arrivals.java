package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.List;

/// Arrival process of requests.
public sealed interface Arrivals {
    /// Returns the maximum concurrency of a load of `requests` requests.
    default int outstanding(int requests) {
        return switch (this) {
            case ClosedLoop(int concurrency, var _, var _) -> Math.min(concurrency, requests);
            case Turns(int clients, var _, var _) -> Math.min(clients, requests);
            case OpenLoop _, Recorded _ -> requests;
        };
    }

    /// Closed loop with a fixed concurrency: each request that finishes sends the next one after a pause.
    ///
    /// @param thinkMillis time from a response to the next request, in ms
    /// @param staggerMillis time over which clients spread their second requests evenly, so that equal requests
    ///     get out of step: request `i` of `c` waits `i / c` of it after its first response
    record ClosedLoop(int concurrency, double thinkMillis, double staggerMillis) implements Arrivals {
        public ClosedLoop {
            if (concurrency < 1 || !(thinkMillis >= 0) || !(staggerMillis >= 0)) {
                throw new IllegalArgumentException("a closed loop of " + concurrency + " requests that think "
                        + thinkMillis + " ms and are spread over " + staggerMillis + " ms: at least 1, 0 and 0");
            }
        }

        /// Returns the pause of the client of a request before its next one.
        double pauseMillis(int request) {
            return thinkMillis + (request < concurrency ? staggerMillis * request / concurrency : 0);
        }
    }

    /// Multi-turn clients: each sends the turns of a conversation one after the other, each after a pause, and
    /// then starts the next conversation. Clients start with a pause, spread evenly over the turns; pauses are
    /// exponential ([ExponentialDraws]).
    ///
    /// @param clients number of open conversations
    record Turns(int clients, Conversation conversation, long seed) implements Arrivals {
        public Turns {
            if (clients < 1) {
                throw new IllegalArgumentException(clients + " clients: at least 1");
            }
        }
    }

    /// Requests at recorded times.
    ///
    /// @param millis sending times from the start of the simulation, in ascending order
    record Recorded(List<Double> millis) implements Arrivals {
        public Recorded {
            millis = List.copyOf(millis);
        }

        double[] times() {
            return millis.stream().mapToDouble(Double::doubleValue).toArray();
        }
    }

    /// Open loop: a Poisson process of requests, independent of responses. The first request arrives after the
    /// first gap.
    ///
    /// Gaps are exponential with mean `1000 / rate` ms ([ExponentialDraws]). A quasi-random sequence of gaps
    /// would be too regular: queues would come out several times too short.
    record OpenLoop(double ratePerSecond, long seed) implements Arrivals {
        public OpenLoop {
            if (!(ratePerSecond > 0)) {
                throw new IllegalArgumentException(ratePerSecond + " requests per second: more than 0");
            }
        }

        /// Returns the sending times of `count` requests, in ms.
        double[] times(int count) {
            double[] times = new double[count];
            ExponentialDraws draws = new ExponentialDraws(seed);
            double time = 0;
            for (int request = 0; request < count; request++) {
                time += draws.next() * 1000.0 / ratePerSecond;
                times[request] = time;
            }
            return times;
        }
    }

    /// Times of an exponential distribution, the same for a seed: `-ln(1 - u)` of its mean, with `u` from SplitMix64.
    static final class ExponentialDraws {
        private static final long GAMMA = 0x9E3779B97F4A7C15L;
        private static final long FIRST_FACTOR = 0xBF58476D1CE4E5B9L;
        private static final long SECOND_FACTOR = 0x94D049BB133111EBL;

        private long state;

        ExponentialDraws(long seed) {
            state = seed;
        }

        /// Returns the next draw, of mean 1.
        double next() {
            state += GAMMA;
            return -Math.log1p(-uniform(state));
        }

        private static double uniform(long state) {
            long mixed = (state ^ (state >>> 30)) * FIRST_FACTOR;
            mixed = (mixed ^ (mixed >>> 27)) * SECOND_FACTOR;
            return ((mixed ^ (mixed >>> 31)) >>> 11) * 0x1p-53;
        }
    }
}
