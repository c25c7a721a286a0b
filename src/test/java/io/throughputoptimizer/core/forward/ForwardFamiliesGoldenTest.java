package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.forward.GoldenFigures.GoldenPass;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every pass of `forward-families.json.gz`, `forward-dcp.json.gz`, `forward-fused.json.gz` (products with their sums
/// over ranks as one operator) and `forward-plain.json.gz` (models without a profile of the reference), measured on the
/// reference (msmodeling 84fec85): figures to 1e-9 relative, and
/// activation and available memory to the byte unless the pass says itself that they are
/// not exact.
class ForwardFamiliesGoldenTest {
    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    static Stream<GoldenPass> passes() {
        return Stream.of(
                        "forward-families.json.gz",
                        "forward-dcp.json.gz",
                        "forward-fused.json.gz",
                        "forward-plain.json.gz",
                        "forward-shared-selections.json.gz")
                .flatMap(file -> GoldenFigures.cases(file).stream())
                .map(GoldenPass::new);
    }

    @ParameterizedTest
    @MethodSource("passes")
    void equalsTheReference(GoldenPass golden) {
        golden.assertEqual(estimator.price(GoldenDeployments.of(golden.setup()), golden.shape()), true);
    }
}
