package io.throughputoptimizer.web.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "0.0.0.0", "::", "0:0:0:0:0:0:0:0"})
    void whatIsBoundToAllAddressesTakesEveryAddressAndNoForeignName(String bound) {
        AllowedHosts hosts = AllowedHosts.of(List.of(), bound);

        assertThat(List.of("192.168.1.5:8080", "172.17.0.2", "[fe80::1]:8080", "localhost"))
                .allMatch(hosts::contains);
        assertThat(List.of("evil.example", "192.168.1.5.evil.example", "optimizer:8080"))
                .noneMatch(hosts::contains);
    }

    @Test
    void theBoundAddressIsTaken() {
        AllowedHosts byAddress = AllowedHosts.of(List.of(), "192.168.1.5");
        AllowedHosts byName = AllowedHosts.of(List.of(), "Planner.lan");
        AllowedHosts bySixth = AllowedHosts.of(List.of(), "2001:db8::1");

        assertThat(byAddress.contains("192.168.1.5:8080")).isTrue();
        assertThat(byAddress.contains("192.168.1.6:8080")).isFalse();
        assertThat(byName.contains("planner.lan")).isTrue();
        assertThat(bySixth.contains("[2001:DB8:0::1]:80")).isTrue();
    }

    @Test
    void aStarTakesEveryName() {
        assertThat(AllowedHosts.of(List.of("*"), "127.0.0.1").contains("anything.example"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"planner.example:8080", "https://planner.example", "planner.example/", " ", "*.example", "[::1"})
    void whatCannotBeANameStopsTheStartWithTheSettingsName(String configured) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AllowedHosts.of(List.of(configured), "127.0.0.1"))
                .withMessageContaining("optimizer.http.allowed-hosts")
                .withMessageContaining(configured);
    }
}
