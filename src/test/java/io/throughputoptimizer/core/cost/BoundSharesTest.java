package io.throughputoptimizer.core.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.OptimizerVectors;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class BoundSharesTest {

    static Stream<Arguments> vectors() {
        return OptimizerVectors.arguments(OptimizerVectors.common("format_breakdowns"));
    }

    /// The reference lists parts by position and skips one that is the whole number 0, as its communication is on a
    /// single device: it prints `Mem 25.00 | Comm 50.00 | Cube 25.00 | Vec 0.00` where nothing communicates. Ours
    /// go by name and equal what it prints for a real 0.0.
    @ParameterizedTest
    @MethodSource("vectors")
    void sharesEqualTheReferenceAndGoByName(JsonNode vector) {
        JsonNode parts = vector.required("breakdowns").path("x");
        BoundBreakdown breakdown = new BoundBreakdown(
                parts.path("memory_bound").asDouble(0),
                parts.path("communication_bound").asDouble(0),
                parts.path("compute_bound_mma").asDouble(0),
                parts.path("compute_bound_gp").asDouble(0));
        boolean shifted = parts.path("communication_bound").isInt();

        assertThat(text(breakdown.shares()))
                .isEqualTo(
                        shifted
                                ? "Mem 25.00 | Comm 0.00 | Cube 50.00 | Vec 25.00"
                                : vector.required("text").stringValue());
    }

    private static String text(BoundShares shares) {
        return "Mem " + twoDecimals(shares.memory()) + " | Comm " + twoDecimals(shares.communication()) + " | Cube "
                + twoDecimals(shares.matrix()) + " | Vec " + twoDecimals(shares.general());
    }

    private static BigDecimal twoDecimals(double share) {
        return new BigDecimal(share).setScale(2, RoundingMode.HALF_EVEN);
    }
}
