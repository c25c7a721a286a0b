package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.Pairing.Instances;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/// Rules of instances that are paired by more than the reference's rules: every size and every kind of device that is
/// asked for can be in a pair, and every layout size in an instance.
final class PairingRules {
    private final OptimizationProblem problem;
    private final Pairing pairing;
    private final List<String> names;
    private final List<Objection> objections = new ArrayList<>();

    PairingRules(OptimizationProblem problem, Pairing pairing) {
        this.problem = problem;
        this.pairing = pairing;
        this.names = problem.devices().stream().map(DeviceProfile::name).toList();
    }

    List<Objection> objections() {
        checkNamed(Subject.PREFILL_KINDS, pairing.prefill().kinds());
        checkNamed(Subject.DECODE_KINDS, pairing.decode().kinds());
        if (!objections.isEmpty()) {
            return objections;
        }
        List<Kinds> kinds = pairing.kinds(names);
        checkUsed(kinds);
        checkSizes(Subject.PREFILL_DEVICES, pairing.prefill(), kinds, Kinds::prefill, this::leastWithPrefill);
        checkSizes(Subject.DECODE_DEVICES, pairing.decode(), kinds, Kinds::decode, this::leastWithDecode);
        objections.addAll(everywhere(
                pairing.sizes(),
                size -> problem.layouts(size).objections().stream()
                        .filter(objection -> objection.subject() != Subject.SIZES)
                        .toList()));
        objections.addAll(everywhere(
                pairing.decode().sizes().stream(), size -> problem.layouts(size).contextObjections()));
        checkImages();
        return objections;
    }

    private void checkNamed(Subject subject, List<String> kinds) {
        for (int index = 0; index < kinds.size(); index++) {
            if (!names.contains(kinds.get(index))) {
                objections.add(new Objection(
                        subject,
                        ProblemRules.element(kinds, index),
                        "is " + kinds.get(index) + ": it must be named in devices"));
            }
        }
    }

    private void checkUsed(List<Kinds> kinds) {
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index);
            if (kinds.stream()
                    .noneMatch(
                            kind -> kind.prefill().equals(name) || kind.decode().equals(name))) {
                objections.add(new Objection(
                        Subject.DEVICES,
                        index,
                        "is " + name + ": pd_ratio has neither prefill nor decode instances of it"));
            }
        }
    }

    /// @param kind that a side of a pair is of
    /// @param least devices that a pair with an instance of such a size takes, where both are of one kind
    private void checkSizes(
            Subject subject,
            Instances side,
            List<Kinds> pairs,
            Function<Kinds, String> kind,
            ToIntFunction<Integer> least) {
        for (int index = 0; index < side.sizes().size(); index++) {
            int size = side.sizes().get(index);
            Integer element = ProblemRules.element(side.sizes(), index);
            problem.devices().stream()
                    .filter(device ->
                            pairs.stream().anyMatch(pair -> kind.apply(pair).equals(device.name())))
                    .flatMap(device -> device.obstacle(size).stream())
                    .distinct()
                    .forEach(reason -> objections.add(new Objection(subject, element, reason)));
            if (size > problem.deviceCount()) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": at most the device count, " + problem.deviceCount() + ", is needed"));
            } else if (pairs.stream().anyMatch(Kinds::shareDevices) && least.applyAsInt(size) > problem.deviceCount()) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": with the smallest instance of the other kind it takes "
                                + least.applyAsInt(size) + " of " + problem.deviceCount() + " devices"));
            }
            if (problem.layouts(size).count() == 0) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": no combination of the sizes in search divides an instance of so many"
                                + " devices"));
            }
        }
    }

    private int leastWithPrefill(int size) {
        return size + pairing.decode().least();
    }

    private int leastWithDecode(int size) {
        return size + pairing.prefill().least();
    }

    /// What stands in the way of instances of every size: a layout size that fits some of them is tried on these.
    private static List<Objection> everywhere(Stream<Integer> sizes, Function<Integer, List<Objection>> objections) {
        List<List<Objection>> all = sizes.map(objections).toList();
        return all.getFirst().stream()
                .filter(one ->
                        all.stream().allMatch(others -> others.stream().anyMatch(other -> isAboutTheSame(one, other))))
                .toList();
    }

    private static boolean isAboutTheSame(Objection one, Objection other) {
        return one.subject() == other.subject() && Objects.equals(one.element(), other.element());
    }

    /// As many images as a batch has requests are no number of bytes.
    private void checkImages() {
        Workload.Images images = problem.demand().workload().images();
        if (pairing.transfer() != null && images != null && images.batchSize() == null) {
            objections.add(new Objection(
                    Subject.KV_TRANSFER,
                    "is given: the cache of a request has a size only where workload.image.batch_size is given too"));
        }
    }
}
