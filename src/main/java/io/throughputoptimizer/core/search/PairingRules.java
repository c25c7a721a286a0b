package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// Validation rules of counted instances, for any cost model: every requested size and kind of device must fit
/// a pair.
public final class PairingRules {
    private final List<String> names;
    private final AvailableDevices available;
    private final List<Objection> objections = new ArrayList<>();

    private PairingRules(List<String> names, AvailableDevices available) {
        this.names = names;
        this.available = available;
    }

    /// Returns the objections to a pairing; empty if it is valid.
    ///
    /// @param names names of all kinds of device
    /// @param available devices of each kind
    public static List<Objection> objections(Pairing pairing, List<String> names, AvailableDevices available) {
        PairingRules rules = new PairingRules(names, available);
        rules.checkNamed(Subject.PREFILL_KINDS, pairing.prefill().kinds());
        rules.checkNamed(Subject.DECODE_KINDS, pairing.decode().kinds());
        if (rules.objections.isEmpty()) {
            List<Kinds> kinds = pairing.kinds(names);
            rules.checkUsed(kinds);
            rules.checkSizes(Subject.PREFILL_DEVICES, pairing.prefill(), pairing.decode(), Kinds::prefill, kinds);
            rules.checkSizes(Subject.DECODE_DEVICES, pairing.decode(), pairing.prefill(), Kinds::decode, kinds);
        }
        if (rules.objections.isEmpty()) {
            rules.checkCounts(
                    pairing.kinds(names),
                    pairing.prefill().least(),
                    pairing.decode().least());
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

    /// Checks that each size fits some kind of device; it need not fit every kind.
    private void checkSizes(
            Subject subject, Instances side, Instances other, Function<Kinds, String> kind, List<Kinds> pairs) {
        int most = most(pairs.stream(), kind);
        int mostShared = most(pairs.stream().filter(Kinds::shareDevices), kind);
        for (int index = 0; index < side.sizes().size(); index++) {
            int size = side.sizes().get(index);
            Integer element = ProblemRules.element(side.sizes(), index);
            long together = (long) size + other.least();
            if (size > most) {
                objections.add(new Objection(
                        subject, element, "must be at most the device count (" + most + "), got " + size));
            } else if (mostShared > 0 && together > mostShared) {
                objections.add(new Objection(
                        subject,
                        element,
                        "is " + size + ": with the smallest instance of the other kind it takes " + together + " of "
                                + mostShared + " devices"));
            }
        }
    }

    private int most(Stream<Kinds> pairs, Function<Kinds, String> kind) {
        return pairs.mapToInt(pair -> available.of(kind.apply(pair))).max().orElse(0);
    }

    /// Checks that every kind has devices for the smallest instances of a pair.
    private void checkCounts(List<Kinds> pairs, int prefill, int decode) {
        for (String name : names) {
            List<Kinds> of = pairs.stream()
                    .filter(pair -> pair.prefill().equals(name) || pair.decode().equals(name))
                    .toList();
            if (of.stream().noneMatch(pair -> pair.hold(prefill, decode, available))) {
                of.stream()
                        .map(pair -> tooFew(pair, prefill, decode))
                        .filter(objection -> !objections.contains(objection))
                        .forEach(objections::add);
            }
        }
    }

    private Objection tooFew(Kinds pair, int prefill, int decode) {
        if (pair.shareDevices()) {
            return tooFew(pair.prefill(), "one prefill and one decode instance take " + (prefill + decode));
        }
        return available.of(pair.prefill()) < prefill
                ? tooFew(pair.prefill(), "one prefill instance takes " + prefill)
                : tooFew(pair.decode(), "one decode instance takes " + decode);
    }

    private Objection tooFew(String device, String needed) {
        return Objection.toCount(available, device, "is " + available.of(device) + ": " + needed);
    }
}
