package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.BandBasis.Factors;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.Spread;
import java.util.Set;

/// How far measured figures lie from corrected ones. A device or kernels without measured servers widen it as they do
/// the model's errors; other flags do not, since servers with them are among those that it was taken from.
///
/// @param deviation standard deviation of the logarithm of measured over corrected
/// @param ofModel errors of the model
/// @param hasEnough whether there are figures enough of the layout for the errors of the model to count too: then the
///     narrower of both is shown
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
