package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RatioTest {

    /// Doubles give 3.0000000000000004.
    @Test
    void numbersAreTakenAsWritten() {
        assertThat(Ratio.of(3.3, 1.1).ceiling()).isEqualTo(3);
        assertThat(Ratio.of(3.301, 1.1).ceiling()).isEqualTo(4);
    }

    /// Mode `pd_ratio` multiplies rates and numbers of instances as doubles, for which mode `capacity` counts.
    @Test
    void instancesThatServeADemandAreCountedForIt() {
        Random random = new Random(7);
        for (int question = 0; question < 1000; question++) {
            double rate = 300 * random.nextDouble() + 0.01;
            int instances = 1 + random.nextInt(100_000);
            double served = instances * rate;

            assertThat(Ratio.of(served, rate).ceiling()).isEqualTo(instances);
            assertThat(Ratio.of(served * (1 + 1e-9), rate).ceiling()).isEqualTo(instances + 1);
        }
    }
}
