package io.throughputoptimizer.api.wire;

import io.throughputoptimizer.api.problem.Violation;
import java.util.List;

/// A request object with rules that span its members. A rule is not judged while one of its members is
/// missing or breaks a rule of its own.
public interface Composite {

    /// Broken rules, with pointers relative to this object.
    List<Violation> inconsistencies();
}
