package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.capacity.CalibratedPair.Ends;
import io.throughputoptimizer.core.capacity.CalibratedPair.Most;
import io.throughputoptimizer.core.search.InstanceCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;

/// The prefill and decode instance counts with the fewest devices that serve a demand with headroom:
/// `min p s_p + d s_d` subject to `R(p, d) >= D (1 + h)`.
///
/// More prefill instances never reduce throughput; more decode instances can, because prompts wait. So for each
/// `d`, starting at the smallest one that serves the demand if no prompt waits, the smallest `p` is bisected,
/// until the fewest devices known leave no room.
final class FewestDevicePairs {
    /// Maximum number of decode instance counts tried; larger ranges are sampled at equal distances.
    private static final int WALKED = 256;
    private static final double GROWTH = 1.25;

    private final CalibratedPair pair;
    private final Requirement requirement;
    private final Ends ends;
    private final long most;
    private final boolean isAhead;
    private final Ratio planned;
    private final long leastPrefill;

    /// @param isAhead true to compute figures ahead on any thread, counted only when requested
    FewestDevicePairs(CalibratedPair pair, Requirement requirement, Ends ends, long most, boolean isAhead) {
        this.pair = pair;
        this.requirement = requirement;
        this.ends = ends;
        this.most = most;
        this.isAhead = isAhead;
        this.planned = requirement.planned();
        this.leastPrefill = pair.leastPrefill(requirement);
    }

    /// Returns all counts with the fewest devices; empty if all devices together do not serve the demand.
    List<InstanceCounts> counts() {
        long room = most - (long) pair.prefillSize() * leastPrefill;
        OptionalInt decode = room < pair.decodeSize() ? OptionalInt.empty() : leastDecode(room / pair.decodeSize());
        if (decode.isEmpty()) {
            return List.of();
        }
        long devices = most - room + (long) decode.getAsInt() * pair.decodeSize();
        while (true) {
            devices = Math.min(most, Math.max((long) (devices * GROWTH), devices + pair.prefillSize()));
            List<InstanceCounts> found = walk(decode.getAsInt(), devices);
            if (!found.isEmpty() || devices == most) {
                return found;
            }
        }
    }

    /// Returns the fewest devices.
    Optional<Long> devices() {
        return counts().stream().findFirst().map(pair::devices);
    }

    private Optional<Most> most(InstanceCounts counts) {
        return isAhead ? pair.mostAhead(counts, requirement, ends) : pair.most(counts, requirement, ends);
    }

    private OptionalInt leastDecode(long limit) {
        Optional<Most> one = most(pair.fed(1));
        if (one.isEmpty()) {
            return OptionalInt.empty();
        }
        long guess = planned.dividedBy(one.get().ability()).ceiling();
        return firstFrom(1, (int) Math.clamp(guess / 2, 1, limit), (int) limit, count -> serves(most(pair.fed(count))));
    }

    private List<InstanceCounts> walk(int firstDecode, long devices) {
        long bound = devices;
        long last = (bound - leastPrefill * pair.prefillSize()) / pair.decodeSize();
        long distance = Math.max(1, Math.ceilDiv(last - firstDecode + 1, WALKED));
        List<InstanceCounts> best = new ArrayList<>();
        for (int decode = firstDecode;
                (long) decode * pair.decodeSize() + leastPrefill * pair.prefillSize() <= bound;
                decode += (int) distance) {
            int fed = decode;
            int room = (int) ((bound - (long) fed * pair.decodeSize()) / pair.prefillSize());
            IntPredicate enough = feeding -> serves(most(new InstanceCounts(feeding, fed)));
            OptionalInt prefill = enough.test(room)
                    ? firstFrom((int) leastPrefill, (int) leastPrefill, room, enough)
                    : OptionalInt.empty();
            if (prefill.isPresent()) {
                InstanceCounts found = new InstanceCounts(prefill.getAsInt(), fed);
                if (pair.devices(found) < bound) {
                    best.clear();
                    bound = pair.devices(found);
                }
                best.add(found);
            }
        }
        return best;
    }

    private boolean serves(Optional<Most> tried) {
        return tried.filter(found -> found.ability().compareTo(planned) >= 0).isPresent();
    }

    /// Returns the smallest number that satisfies a monotone predicate: doubling steps, then bisection.
    ///
    /// @param first first number to try
    private static OptionalInt firstFrom(int least, int first, int last, IntPredicate serves) {
        long step = 1;
        int low = least;
        int high = first;
        while (!serves.test(high)) {
            if (high == last) {
                return OptionalInt.empty();
            }
            low = high + 1;
            high = (int) Math.min(last, high + step);
            step *= 2;
        }
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (serves.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return OptionalInt.of(high);
    }

    /// Returns the counts with the highest capacity on the given devices.
    ///
    /// @param devices maximum number of devices
    static Optional<InstanceCounts> reach(CalibratedPair pair, Requirement requirement, long devices) {
        long last = (devices - pair.prefillSize()) / pair.decodeSize();
        long distance = Math.max(1, Math.ceilDiv(last, WALKED));
        return LongStream.iterate(1, decode -> decode <= last, decode -> decode + distance)
                .mapToObj(decode -> new InstanceCounts(
                        (int) ((devices - decode * pair.decodeSize()) / pair.prefillSize()), (int) decode))
                .filter(counts -> pair.most(counts, requirement, Ends.NONE).isPresent())
                .max((one, other) -> ability(pair, requirement, one).compareTo(ability(pair, requirement, other)));
    }

    private static Ratio ability(CalibratedPair pair, Requirement requirement, InstanceCounts counts) {
        return pair.most(counts, requirement, Ends.NONE).orElseThrow().ability();
    }
}
