package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.load.SimulationResult.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Timeline of a simulation in at most [#MOST_INTERVALS] intervals of equal length: the length doubles, merging
/// two into one, whenever the simulation outgrows them.
final class Timeline {
    static final int MOST_INTERVALS = 128;
    private static final double FIRST_LENGTH_MILLIS = 1;

    private final double[] running = new double[MOST_INTERVALS];
    private final double[] waiting = new double[MOST_INTERVALS];
    private final double[] tokens = new double[MOST_INTERVALS];
    private double lengthMillis = FIRST_LENGTH_MILLIS;

    /// Adds a period of equal steps, or of idle time; tokens are spread evenly.
    void advance(double from, double to, int runningRequests, int waitingRequests, double outputTokens) {
        makeRoom(to);
        spread(running, from, to, runningRequests);
        spread(waiting, from, to, waitingRequests);
        if (to > from) {
            spread(tokens, from, to, outputTokens / (to - from));
        } else {
            tokens[index(from)] += outputTokens;
        }
    }

    /// Adds one request that the scheduler has not seen yet.
    void addWaiting(double from, double to) {
        makeRoom(to);
        spread(waiting, from, to, 1);
    }

    List<Interval> intervals(double endMillis) {
        List<Interval> intervals = new ArrayList<>();
        for (int index = 0; index < MOST_INTERVALS && (index == 0 || index * lengthMillis < endMillis); index++) {
            double start = index * lengthMillis;
            double end = Math.min(start + lengthMillis, endMillis);
            double length = end - start;
            intervals.add(new Interval(
                    start, end, running[index] / length, waiting[index] / length, 1000 * tokens[index] / length));
        }
        return List.copyOf(intervals);
    }

    private int index(double millis) {
        return Math.min((int) (millis / lengthMillis), MOST_INTERVALS - 1);
    }

    private void spread(double[] amounts, double from, double to, double rate) {
        if (rate == 0) {
            return;
        }
        int firstIndex = index(from);
        int lastIndex = index(to);
        if (firstIndex == lastIndex) {
            amounts[firstIndex] += rate * (to - from);
            return;
        }
        amounts[firstIndex] += rate * ((firstIndex + 1) * lengthMillis - from);
        for (int index = firstIndex + 1; index < lastIndex; index++) {
            amounts[index] += rate * lengthMillis;
        }
        amounts[lastIndex] += rate * (to - lastIndex * lengthMillis);
    }

    private void makeRoom(double millis) {
        while (millis > MOST_INTERVALS * lengthMillis) {
            lengthMillis *= 2;
            halve(running);
            halve(waiting);
            halve(tokens);
        }
    }

    private static void halve(double[] amounts) {
        for (int index = 0; index < MOST_INTERVALS / 2; index++) {
            amounts[index] = amounts[2 * index] + amounts[2 * index + 1];
        }
        Arrays.fill(amounts, MOST_INTERVALS / 2, MOST_INTERVALS, 0);
    }
}
