package io.throughputoptimizer.core.forward.pass;

import io.throughputoptimizer.core.operator.Form;
import java.util.ArrayList;
import java.util.List;

/// The largest of some forms; those below another are left out.
final class Peak {
    private final List<Form> candidates = new ArrayList<>();

    void add(Form candidate) {
        for (Form known : candidates) {
            if (candidate.isNeverAbove(known)) {
                return;
            }
        }
        candidates.removeIf(known -> known.isNeverAbove(candidate));
        candidates.add(candidate);
    }

    void add(Peak other) {
        other.candidates.forEach(this::add);
    }

    /// Adds all of these once more, higher or lower by `shift`.
    void addShifted(Form shift) {
        List.copyOf(candidates).forEach(candidate -> add(candidate.plus(shift)));
    }

    List<Form> candidates() {
        return candidates;
    }
}
