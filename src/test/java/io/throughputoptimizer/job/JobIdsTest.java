package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.ManualClock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobIdsTest {
    private final ManualClock clock = new ManualClock();
    private final JobIds ids = new JobIds(clock);

    @Test
    void idsAreUuidsOfVersionSeven() {
        UUID id = ids.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(clock.millis());
    }

    @Test
    void idsAscendWithinAMillisecondAndBeyondItsCounter() {
        List<UUID> made = Stream.generate(ids::next).limit(3 * 4096).toList();

        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void idsAscendWhenTheClockGoesBack() {
        UUID before = ids.next();
        clock.advance(Duration.ofHours(-1));

        assertThat(ids.next()).isGreaterThan(before);
    }

    @Test
    void idsAscendWithTime() {
        UUID before = ids.next();
        clock.advance(Duration.ofMillis(1));

        UUID after = ids.next();

        assertThat(after).isGreaterThan(before);
        assertThat(after.getMostSignificantBits() >>> 16).isEqualTo(clock.millis());
    }
}
