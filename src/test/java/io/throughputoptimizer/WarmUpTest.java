package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.fixture.BuiltIn;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private final ValidatorFactory validators = Validation.buildDefaultValidatorFactory();
    private final WarmUp warmUp = new WarmUp(
            new RequestValidator(validators), new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE), BuiltIn.CATALOGS);

    @AfterEach
    void close() {
        validators.close();
    }

    @Test
    void everyRoundSearchesEachOfItsRequests() {
        assertThat(warmUp.run(3)).isEqualTo(12);
    }

    @Test
    void aServiceThatStopsSearchesNoMore() {
        warmUp.end();

        assertThat(warmUp.run(3)).isZero();
    }
}
