package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The member `band_coverage`: share of measured figures that a band holds, the widest one unless given.
public final class BandCoverage {
    static final Coverage USUAL = Coverage.NINE_TENTHS;

    private BandCoverage() {}

    static List<Violation> broken(@Nullable Double asked) {
        return asked == null || find(asked).isPresent()
                ? List.of()
                : List.of(new Violation("/band_coverage", "must be 0.5 or 0.9, got " + asked));
    }

    public static Coverage of(@Nullable Double asked) {
        return Optional.ofNullable(asked).flatMap(BandCoverage::find).orElse(USUAL);
    }

    private static Optional<Coverage> find(double share) {
        return Stream.of(Coverage.values())
                .filter(coverage -> coverage.share() == share)
                .findFirst();
    }
}
