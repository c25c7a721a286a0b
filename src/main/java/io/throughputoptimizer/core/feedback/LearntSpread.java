package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.BandBasis.Factors;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.Spread;
import java.util.Set;

/// Distribution of measured over corrected figures. A device or kernels without measured servers widen it as
/// they widen the model's errors. Other flags do not, since the measured servers include them.
///
/// @param deviation standard deviation of log(measured / corrected)
/// @param ofModel errors of the model
/// @param hasEnough true if the layout has enough figures for the narrower of both intervals to be shown
record LearntSpread(Metric metric, double deviation, BandBasis ofModel, boolean hasEnough) implements Spread {
    private static final String LABEL = "feedback";
    private static final Set<Flag> WIDENING = Set.of(Flag.DEVICE, Flag.FAMILY);

    @Override
    public Factors factors(Coverage coverage, Set<Flag> flags) {
        return showsModel(coverage, flags) ? ofModel.factors(coverage, flags) : own(coverage, flags);
    }

    @Override
    public String label(Coverage coverage, Set<Flag> flags) {
        return showsModel(coverage, flags) ? ofModel.label() : LABEL;
    }

    private boolean showsModel(Coverage coverage, Set<Flag> flags) {
        return hasEnough
                && ofModel.factors(coverage, flags).ratio()
                        < own(coverage, flags).ratio();
    }

    private Factors own(Coverage coverage, Set<Flag> flags) {
        long widening = flags.stream().filter(WIDENING::contains).count();
        return metric.ends(coverage, deviation * (1L << widening));
    }
}
