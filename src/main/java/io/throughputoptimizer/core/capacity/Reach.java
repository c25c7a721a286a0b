package io.throughputoptimizer.core.capacity;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/// How large a demand the devices available serve, in the deployments of a kind.
///
/// @param budget devices available
record Reach(Requirement requirement, long budget) {

    /// The largest demand that instances which do both serve with headroom; empty where the devices hold none, or not
    /// one request with the headroom.
    Optional<Requirement> together(List<Peak> peaks) {
        return peaks.stream()
                .filter(peak -> peak.size() <= budget)
                .map(peak -> peak.ability(requirement).times(budget / peak.size()))
                .max(Ratio::compareTo)
                .flatMap(requirement::reaching);
    }

    /// The largest demand that prefill instances which feed decode instances serve with headroom: `max min(p q_p, d
    /// q_d)` over numbers of instances that the devices hold; of requests at once the largest number that a planner
    /// finds devices for.
    Optional<Requirement> apart(List<Peak> prefill, List<Peak> decode, LoadedRows loads) {
        return requirement.isConcurrency()
                ? held(prefill, decode, loads)
                : prefill.stream()
                        .flatMap(one -> {
                            loads.failWhenCancelled();
                            return decode.stream()
                                    .filter(one::handsLike)
                                    .flatMap(other -> balanced(one, other).stream());
                        })
                        .max(Ratio::compareTo)
                        .map(requirement::upTo);
    }

    /// The rate of prefill grows with its instances while that of the decode instances beside them falls: the best is
    /// next to where they meet.
    private Optional<Ratio> balanced(Peak prefill, Peak decode) {
        long most = (budget - decode.size()) / prefill.size();
        if (budget < (long) prefill.size() + decode.size()) {
            return Optional.empty();
        }
        long meet =
                least(1, most, count -> prefillRate(prefill, count).compareTo(decodeRate(prefill, decode, count)) >= 0);
        return Stream.of(meet - 1, meet)
                .filter(count -> count >= 1)
                .map(count -> Ratio.least(prefillRate(prefill, count), decodeRate(prefill, decode, count)))
                .max(Ratio::compareTo);
    }

    private Ratio prefillRate(Peak prefill, long count) {
        return prefill.ability(requirement).times(count);
    }

    private Ratio decodeRate(Peak prefill, Peak decode, long prefillCount) {
        return decode.ability(requirement).times((budget - prefillCount * prefill.size()) / decode.size());
    }

    private Optional<Requirement> held(List<Peak> prefill, List<Peak> decode, LoadedRows loads) {
        Optional<Requirement> bound = together(decode);
        if (bound.isEmpty()) {
            return bound;
        }
        long most = (long) bound.get().amount();
        LongPredicate beyond = held -> {
            OptionalLong devices = new Planner(requirement.with(held), loads).devicesApart(prefill, decode);
            return devices.isEmpty() || devices.getAsLong() > budget;
        };
        long largest = beyond.test(most) ? least(1, most, beyond) - 1 : most;
        return largest < 1 ? Optional.empty() : Optional.of(requirement.with(largest));
    }

    /// The least number of a range that something holds from; the last where nothing says so.
    private static long least(long first, long last, LongPredicate holds) {
        long low = first;
        long high = last;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
