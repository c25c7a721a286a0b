package io.throughputoptimizer.core.forward.pass;

import io.throughputoptimizer.core.operator.Form;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The largest of some forms; those below another are left out.
final class Peak {
    private final List<Form> candidates = new ArrayList<>();
    /// The last candidate added: usage often stays equal over many operators in a row.
    private @Nullable Form latest;

    void add(Form candidate) {
        if (latest != null && latest.equals(candidate)) {
            return;
        }
        latest = candidate;
        for (Form known : candidates) {
            if (candidate.isNeverAbove(known)) {
                return;
            }
        }
        for (int known = candidates.size() - 1; known >= 0; known--) {
            if (candidates.get(known).isNeverAbove(candidate)) {
                candidates.remove(known);
            }
        }
        candidates.add(candidate);
    }

    void add(Peak other) {
        other.candidates.forEach(this::add);
    }

    /// Adds all of these once more, higher or lower by `shift`.
    void addShifted(Form shift) {
        if (!shift.equals(Form.ZERO)) {
            List.copyOf(candidates).forEach(candidate -> add(candidate.plus(shift)));
        }
    }

    List<Form> candidates() {
        return candidates;
    }
}
