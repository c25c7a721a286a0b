package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.forward.GoldenFigures.GoldenPass;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every pass of `forward-dense.json`, measured on the reference (msmodeling 84fec85): figures to 1e-9
/// relative, activation and available memory to the byte.
class ForwardDenseGoldenTest {
    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    static Stream<GoldenPass> passes() {
        return GoldenFigures.cases("forward-dense.json").stream().map(GoldenPass::new);
    }

    @ParameterizedTest
    @MethodSource("passes")
    void equalsTheReference(GoldenPass golden) {
        golden.assertEqual(estimator.price(GoldenDeployments.of(golden.setup()), golden.shape()));
    }
}
