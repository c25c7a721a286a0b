package io.throughputoptimizer.quota;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerIdTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, address:127.0.0.1",
        "127.0.0.2, address:127.0.0.2",
        "::ffff:192.0.2.7, address:192.0.2.7",
        "2001:db8:1:2:3:4:5:6, address:2001:0db8:0001:0002::/64",
        "2001:db8:1:2::9, address:2001:0db8:0001:0002::/64",
        "2001:db8:1:3::9, address:2001:0db8:0001:0003::/64",
        "fe80::1%eth0, address:fe80:0000:0000:0000::/64",
        "::1, address:0000:0000:0000:0000::/64",
        "somebody, address:somebody"
    })
    void anAddressCountsForItselfAndOfIpv6ItsNetwork(String address, String name) {
        assertThat(CallerId.ofAddress(address).name()).isEqualTo(name);
    }

    @Test
    void noAddressIsAnOwner() {
        assertThat(CallerId.ofAddress("key:ann")).isNotEqualTo(CallerId.ofOwner("key:ann"));
    }
}
