package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class BuiltInDistributionsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    @Test
    void theBuiltInDistributionIsThatOfTheReferenceToTheLastBit() throws IOException {
        List<LengthBin> expected;
        try (InputStream stream = Objects.requireNonNull(
                BuiltInDistributionsTest.class.getResourceAsStream("/golden/builtin-distribution.json"))) {
            expected = StrictMappers.JSON.readTree(stream).get("bins").values().stream()
                    .map(bin -> new LengthBin(
                            bin.get("min_tokens").intValue(),
                            bin.get("max_tokens").intValue(),
                            bin.get("weight").doubleValue()))
                    .toList();
        }

        assertThat(expected).hasSize(20 + 5 + 8 + 2);
        assertThat(CATALOGS.lengthDistributions().get("builtin")).isEqualTo(new LengthDistribution(expected));
    }

    @Test
    void distributionsAreListedByName() {
        assertThat(CATALOGS.lengthDistributions()).containsOnlyKeys("builtin");
    }
}
