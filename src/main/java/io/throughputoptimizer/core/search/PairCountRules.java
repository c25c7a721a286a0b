package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.space.KvTransferCosts;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validation rules for counted instances, in addition to the rules of all pairings: every layout size must fit
/// some instance.
final class PairCountRules {
    private final OptimizationProblem problem;
    private final Pairing pairing;
    private final List<Objection> objections;

    PairCountRules(OptimizationProblem problem, Pairing pairing) {
        this.problem = problem;
        this.pairing = pairing;
        this.objections = new ArrayList<>(PairingRules.objections(
                pairing, problem.devices().stream().map(DeviceProfile::name).toList(), problem.available()));
    }

    List<Objection> objections() {
        checkLayouts(
                Subject.PREFILL_DEVICES,
                pairing.prefill(),
                device -> pairing.prefillSizes(device, problem.available()));
        checkLayouts(
                Subject.DECODE_DEVICES, pairing.decode(), device -> pairing.decodeSizes(device, problem.available()));
        objections.addAll(everywhere(
                pairing.sizes(),
                size -> problem.layouts(size).objections().stream()
                        .filter(objection -> objection.subject() != Subject.SIZES)
                        .toList()));
        objections.addAll(everywhere(
                pairing.decode().sizes().stream(), size -> problem.layouts(size).contextObjections()));
        checkTransfer();
        return objections;
    }

    private void checkLayouts(Subject subject, Instances side, Function<String, List<Integer>> sizes) {
        for (int index = 0; index < side.sizes().size(); index++) {
            int size = side.sizes().get(index);
            Integer element = ProblemRules.element(side.sizes(), index);
            problem.devices().stream()
                    .filter(device -> sizes.apply(device.name()).contains(size))
                    .flatMap(device -> device.obstacle(size).stream())
                    .distinct()
                    .forEach(reason -> objections.add(new Objection(subject, element, reason)));
            if (!problem.layouts(size).exist()) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": no combination of the sizes in search divides an instance of so many"
                                + " devices"));
            }
        }
    }

    /// Returns the objections that instances of every size share; a layout size that fits some instances is
    /// tried on these.
    static List<Objection> everywhere(Stream<Integer> sizes, Function<Integer, List<Objection>> objections) {
        List<Integer> all = sizes.toList();
        List<Objection> everywhere = objections.apply(all.getFirst());
        for (int next = 1; next < all.size() && !everywhere.isEmpty(); next++) {
            Set<About> there =
                    objections.apply(all.get(next)).stream().map(About::of).collect(Collectors.toSet());
            everywhere = everywhere.stream()
                    .filter(objection -> there.contains(About.of(objection)))
                    .toList();
        }
        return everywhere;
    }

    private record About(
            Objection.Subject subject, @Nullable Integer element) {
        private static About of(Objection objection) {
            return new About(objection.subject(), objection.element());
        }
    }

    private void checkTransfer() {
        if (pairing.transfer() != null) {
            KvTransferCosts.obstacle(problem.demand().workload())
                    .ifPresent(reason -> objections.add(new Objection(Subject.KV_TRANSFER, reason)));
        }
    }
}
