package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.Pairing.Instances;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/// Rules of a problem about instances that are paired by more than the reference's rules: beside those of all pairings,
/// every layout size can be in an instance.
final class FreePairRules {
    private final OptimizationProblem problem;
    private final Pairing pairing;
    private final List<Objection> objections;

    FreePairRules(OptimizationProblem problem, Pairing pairing) {
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
            if (problem.layouts(size).count() == 0) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": no combination of the sizes in search divides an instance of so many"
                                + " devices"));
            }
        }
    }

    /// What stands in the way of instances of every size: a layout size that fits some of them is tried on these.
    static List<Objection> everywhere(Stream<Integer> sizes, Function<Integer, List<Objection>> objections) {
        List<List<Objection>> all = sizes.map(objections).toList();
        return all.getFirst().stream()
                .filter(one ->
                        all.stream().allMatch(others -> others.stream().anyMatch(other -> isAboutTheSame(one, other))))
                .toList();
    }

    private static boolean isAboutTheSame(Objection one, Objection other) {
        return one.subject() == other.subject() && Objects.equals(one.element(), other.element());
    }

    private void checkTransfer() {
        if (pairing.transfer() != null) {
            Handovers.obstacle(problem.demand().workload())
                    .ifPresent(reason -> objections.add(new Objection(Subject.KV_TRANSFER, reason)));
        }
    }
}
