package io.throughputoptimizer.core.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterconnectTest {
    private static final Interconnect.Link LINK = new Interconnect.Link(1e9, 1e-6, 0.5, Interconnect.Topology.CLOS);

    @Test
    void aGridHoldsTheProductOfItsDimensions() {
        Interconnect interconnect = grid(48, 8, 2);

        assertThat(interconnect.deviceCount()).isEqualTo(48 * 8 * 2);
        assertThat(interconnect.devicesBelow(1)).isEqualTo(8 * 2);
        assertThat(interconnect.devicesBelow(2)).isEqualTo(2);
    }

    @Test
    void impossibleGridsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(InterconnectTest::grid).withMessageContaining("empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(8, 1))
                .withMessageContaining("a dimension of 1: at least 2 each");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Interconnect(List.of(4, 8), List.of(LINK)))
                .withMessageContaining("2 dimensions but 1 links");
    }

    @Test
    void aGridTooLargeToCountIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> grid(2_000_000_000, 2_000_000_000, 2_000_000_000))
                .withMessageContaining("holds too many devices");
    }

    private static Interconnect grid(Integer... sizes) {
        return new Interconnect(List.of(sizes), Collections.nCopies(sizes.length, LINK));
    }
}
