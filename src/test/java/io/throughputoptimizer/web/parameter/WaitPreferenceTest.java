package io.throughputoptimizer.web.parameter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WaitPreferenceTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    wait=10                       | 10
                    Wait = 10                     | 10
                    wait="10"                     | 10
                    respond-async, wait=10        | 10
                    respond-async,wait=10;x=y     | 10
                    wait=10, wait=20              | 10
                    wait=0                        | 0
                    wait=60                       | 60
                    wait=61                       | 60
                    wait=999999999                | 60
                    """)
    void aWaitIsReadAndCut(String header, long seconds) {
        Optional<WaitPreference> wait = WaitPreference.in(header, LONGEST);

        assertThat(wait).contains(new WaitPreference(seconds));
        assertThat(wait.orElseThrow().applied()).isEqualTo("wait=" + seconds);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wait",
                "wait=",
                "wait=-1",
                "wait=1.5",
                "wait=ten",
                "wait=10s",
                "await=10",
                "foo; wait=10",
                "wait=1 0",
                "wait=99999999999"
            })
    void whatCannotBeUnderstoodIsIgnored(String header) {
        assertThat(WaitPreference.in(header, LONGEST)).isEmpty();
    }

    @Test
    void noHeaderIsNoPreference() {
        assertThat(WaitPreference.in(null, LONGEST)).isEmpty();
    }
}
