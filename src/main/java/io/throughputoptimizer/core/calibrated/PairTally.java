package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.DeviceInventory.Numbers;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Counter of the pairs and concurrencies that a disaggregated search tries, without creating them: there may
/// be 64 sizes on each side, on 64 kinds of device each.
///
/// For sides on separate kinds of device, the count depends only on the number of instances that the devices
/// hold. So all kinds and sizes of a side are summed by that number, as if no pair shared devices; pairs that
/// share devices are corrected afterwards.
final class PairTally {
    private final CalibratedProblem problem;
    private final Pairing pairing;
    private final List<Kinds> kinds;
    private final Map<Integer, Long> layouts;

    PairTally(CalibratedProblem problem, Pairing pairing) {
        this.problem = problem;
        this.pairing = pairing;
        this.kinds = problem.kinds();
        this.layouts = pairing.sizes().collect(Collectors.toMap(size -> size, problem::countOfInstanceLayouts));
    }

    /// Number of instance counts of two sizes.
    private interface Counted {
        long of(DeviceInventory stock);
    }

    /// Returns the number of pairs of layouts, the decode layout with each speculation.
    long pairs() {
        return (long) (problem.sizes().speculationsTried() * sum(_ -> 1));
    }

    /// Returns the number of concurrencies for `tried` of them on each pair of layouts in each instance counts.
    long points(long tried) {
        return (long) (tried * problem.sizes().speculationsTried() * sum(DeviceInventory::mostCounts));
    }

    private double sum(Counted numbers) {
        double all = 0;
        if (!pairing.namesNoKinds()) {
            all = apart(numbers);
        }
        for (Kinds pair : kinds) {
            if (pair.shareDevices()) {
                all += shared(pair.prefill(), numbers);
            }
        }
        return all;
    }

    /// Returns the sum over each prefill kind with each decode kind, as if no pair shared devices.
    private double apart(Counted numbers) {
        Map<Integer, Double> prefill =
                held(kinds.stream().map(Kinds::prefill).distinct().toList(), this::prefillSizes);
        Map<Integer, Double> decode =
                held(kinds.stream().map(Kinds::decode).distinct().toList(), this::decodeSizes);
        int[] decodeCounts =
                decode.keySet().stream().mapToInt(Integer::intValue).toArray();
        double[] decodeLayouts =
                decode.values().stream().mapToDouble(Double::doubleValue).toArray();
        double all = 0;
        for (Map.Entry<Integer, Double> one : prefill.entrySet()) {
            for (int other = 0; other < decodeCounts.length; other++) {
                all += one.getValue()
                        * decodeLayouts[other]
                        * numbers.of(new DeviceInventory(one.getKey(), decodeCounts[other], 1, 1, Numbers.APART));
            }
        }
        return all;
    }

    /// Returns the number of layouts over all sizes and kinds, by the number of instances that the devices
    /// hold.
    private Map<Integer, Double> held(List<String> names, Function<String, List<Integer>> sizes) {
        Map<Integer, Double> held = new TreeMap<>();
        for (String name : names) {
            int available = problem.available().of(name);
            for (int size : sizes.apply(name)) {
                double of = layoutsOf(size);
                if (of > 0) {
                    held.merge(available / size, of, Double::sum);
                }
            }
        }
        return held;
    }

    private double layoutsOf(int size) {
        return Objects.requireNonNull(layouts.get(size));
    }

    private List<Integer> prefillSizes(String name) {
        return pairing.prefillSizes(name, problem.available());
    }

    private List<Integer> decodeSizes(String name) {
        return pairing.decodeSizes(name, problem.available());
    }

    /// Returns the sum over pairs on one kind, minus what [#apart] counted for it.
    private double shared(String name, Counted numbers) {
        Kinds both = new Kinds(name, name);
        int available = problem.available().of(name);
        List<Integer> decodeSizes = decodeSizes(name);
        double all = 0;
        for (int prefill : prefillSizes(name)) {
            for (int decode : decodeSizes) {
                double pairs = layoutsOf(prefill) * layoutsOf(decode);
                if (pairs > 0) {
                    all += pairs * numbers.of(problem.stock(both, prefill, decode));
                    all -= pairing.namesNoKinds()
                            ? 0
                            : pairs
                                    * numbers.of(
                                            new DeviceInventory(available, available, prefill, decode, Numbers.APART));
                }
            }
        }
        return all;
    }
}
