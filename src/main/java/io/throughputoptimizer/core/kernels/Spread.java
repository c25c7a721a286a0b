package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.BandBasis.Factors;
import java.util.Set;

/// Distribution of measured over predicted figures, with its source.
public interface Spread {

    /// Returns the ends of a prediction interval as multiples of the figure.
    ///
    /// @param coverage share of measured figures within it
    /// @param flags uncertainty flags of the row, which widen it
    Factors factors(Coverage coverage, Set<Flag> flags);

    /// Returns the name of the basis in results, such as `tpot/dense`.
    String label(Coverage coverage, Set<Flag> flags);

    /// Returns the errors of the model alone.
    BandBasis ofModel();
}
