package io.throughputoptimizer.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.security.Protection.Circumstances;
import io.throughputoptimizer.security.Protection.Setting;
import org.junit.jupiter.api.Test;

class ProtectionTest {
    private static final Circumstances LOOPBACK = new Circumstances("127.0.0.1", true, false);
    private static final Circumstances NETWORK = new Circumstances("0.0.0.0", false, false);
    private static final Circumstances LOOPBACK_WITH_KEYS = new Circumstances("127.0.0.1", true, true);
    private static final Circumstances NETWORK_WITH_KEYS = new Circumstances("0.0.0.0", false, true);

    @Test
    void withoutKeysItIsOpenToThisMachineOnly() {
        assertThat(Protection.decide(Setting.AUTOMATIC, LOOPBACK)).isEqualTo(Protection.OPEN);
        assertThatThrownBy(() -> Protection.decide(Setting.AUTOMATIC, NETWORK))
                .isInstanceOf(UnprotectedException.class)
                .hasMessageContaining("listens on 0.0.0.0");
    }

    @Test
    void withKeysItAsksForThemWhereverItListens() {
        assertThat(Protection.decide(Setting.AUTOMATIC, LOOPBACK_WITH_KEYS)).isEqualTo(Protection.KEYS);
        assertThat(Protection.decide(Setting.AUTOMATIC, NETWORK_WITH_KEYS)).isEqualTo(Protection.KEYS);
        assertThat(Protection.decide(Setting.KEYS, NETWORK_WITH_KEYS)).isEqualTo(Protection.KEYS);
    }

    @Test
    void whatIsSetDecides() {
        assertThat(Protection.decide(Setting.OPEN, NETWORK_WITH_KEYS)).isEqualTo(Protection.OPEN);
        assertThat(Protection.decide(Setting.OPEN, NETWORK)).isEqualTo(Protection.OPEN);
        assertThatThrownBy(() -> Protection.decide(Setting.KEYS, LOOPBACK))
                .isInstanceOf(UnprotectedException.class)
                .hasMessageContaining("there is no key");
    }
}
