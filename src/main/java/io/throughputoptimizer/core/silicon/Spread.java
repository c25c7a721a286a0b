package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.BandBasis.Factors;
import java.util.Set;

/// How far measured figures lie from predicted ones, and who says so.
public interface Spread {

    /// Ends of a band as multiples of the figure.
    ///
    /// @param coverage share of measured figures that it holds
    /// @param flags of the row, which widen it
    Factors factors(Coverage coverage, Set<Flag> flags);

    /// Name in results of what the ends are taken from, such as `tpot/dense`.
    String label(Coverage coverage, Set<Flag> flags);

    /// Errors of the model alone.
    BandBasis ofModel();
}
