package io.throughputoptimizer.web.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorePreferenceTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    keep=none                                    | wait=60, keep=none
                    wait=5, keep=none                            | wait=5, keep=none
                    Keep = "none";x=y, wait=61                   | wait=60, keep=none
                    wait=5, return=representation, keep=none     | wait=5, return=representation, keep=none
                    wait=5, return=minimal, keep=none            | wait=5, keep=none
                    """)
    void whatIsAppliedIsSaid(String header, String applied) {
        assertThat(StorePreference.in(header, LONGEST).orElseThrow().applied()).isEqualTo(applied);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "wait=5", "keep", "keep=all", "keep=nonesuch", "upkeep=none", "wait=5; keep=none"})
    void othersAreKept(String header) {
        assertThat(StorePreference.in(header, LONGEST)).isEmpty();
    }

    @Test
    void noHeaderIsNoPreference() {
        assertThat(StorePreference.in(null, LONGEST)).isEmpty();
    }
}
