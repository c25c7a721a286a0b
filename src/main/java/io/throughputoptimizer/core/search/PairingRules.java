package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.Pairing.Instances;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import java.util.ArrayList;
import java.util.List;

/// Rules of instances that are paired by more than the reference's rules, whatever prices them: every size and every
/// kind of device that is asked for can be in a pair.
public final class PairingRules {
    private final List<String> names;
    private final int deviceCount;
    private final List<Objection> objections = new ArrayList<>();

    private PairingRules(List<String> names, int deviceCount) {
        this.names = names;
        this.deviceCount = deviceCount;
    }

    /// What is against a pairing; empty when there is nothing.
    ///
    /// @param names of all kinds of device
    /// @param deviceCount devices available of each kind
    public static List<Objection> objections(Pairing pairing, List<String> names, int deviceCount) {
        PairingRules rules = new PairingRules(names, deviceCount);
        rules.checkNamed(Subject.PREFILL_KINDS, pairing.prefill().kinds());
        rules.checkNamed(Subject.DECODE_KINDS, pairing.decode().kinds());
        if (rules.objections.isEmpty()) {
            List<Kinds> kinds = pairing.kinds(names);
            rules.checkUsed(kinds);
            rules.checkSizes(Subject.PREFILL_DEVICES, pairing.prefill(), pairing.decode(), kinds);
            rules.checkSizes(Subject.DECODE_DEVICES, pairing.decode(), pairing.prefill(), kinds);
        }
        return rules.objections;
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

    private void checkSizes(Subject subject, Instances side, Instances other, List<Kinds> pairs) {
        for (int index = 0; index < side.sizes().size(); index++) {
            int size = side.sizes().get(index);
            Integer element = ProblemRules.element(side.sizes(), index);
            long together = (long) size + other.least();
            if (size > deviceCount) {
                objections.add(new Objection(
                        subject, element, "is " + size + ": at most the device count, " + deviceCount + ", is needed"));
            } else if (pairs.stream().anyMatch(Kinds::shareDevices) && together > deviceCount) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": with the smallest instance of the other kind it takes " + together + " of "
                                + deviceCount + " devices"));
            }
        }
    }
}
