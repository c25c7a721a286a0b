package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import java.util.List;

/// When clients send their requests.
public sealed interface Arrivals {
    /// Most requests of a load of so many that are outstanding at once.
    default int outstanding(int requests) {
        return switch (this) {
            case ClosedLoop(int concurrency, var _, var _) -> Math.min(concurrency, requests);
            case Turns(int clients, var _, var _) -> Math.min(clients, requests);
            case OpenLoop _, Recorded _ -> requests;
        };
    }

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

    /// Clients ask one turn of a conversation after the other, each some time after its answer, and then begin the
    /// next. They begin with a pause, at all turns alike; pauses are exponential ([ExponentialDraws]).
    ///
    /// @param clients conversations that are open at any time
    record Turns(int clients, Conversation conversation, long seed) implements Arrivals {
        public Turns {
            if (clients < 1) {
                throw new IllegalArgumentException(clients + " clients: at least 1");
            }
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
    /// Gaps are exponential, `1000 / rate` ms in the mean ([ExponentialDraws]). A quasi-random sequence of gaps
    /// would be too regular: queues would come out several times too short.
    record OpenLoop(double ratePerSecond, long seed) implements Arrivals {
        public OpenLoop {
            if (!(ratePerSecond > 0)) {
                throw new IllegalArgumentException(ratePerSecond + " requests per second: more than 0");
            }
        }

        /// The sending times of that many requests, in milliseconds.
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
}
