package io.throughputoptimizer.core.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.catalog.Catalogs.DeviceCatalog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceCatalogTest {

    @Test
    void devicesAreFoundByTheirExactNameAndListedInTheOrderGiven() {
        DeviceProfile zebra = device("ZEBRA");
        DeviceProfile antelope = device("ANTELOPE");
        DeviceCatalog catalog = new DeviceCatalog(List.of(zebra, antelope));

        assertThat(catalog.find("ANTELOPE")).contains(antelope);
        assertThat(catalog.find("antelope")).isEmpty();
        assertThat(catalog.names()).containsExactly("ZEBRA", "ANTELOPE");
        assertThat(catalog.all()).containsExactly(zebra, antelope);
    }

    @Test
    void aNameCannotBeTakenTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DeviceCatalog(List.of(device("ZEBRA"), device("ZEBRA"))))
                .withMessage("device ZEBRA is listed twice: names are unique");
    }

    private static DeviceProfile device(String name) {
        return new DeviceProfile(
                name,
                "nobody",
                new DeviceProfile.Compute(Map.of(), Map.of(), 1),
                new DeviceProfile.Memory(1, 1, 1),
                new DeviceProfile.StaticCosts(0, 0, 0),
                new Interconnect(List.of(2), List.of(new Interconnect.Link(1, 0, 1, Interconnect.Topology.CLOS))),
                List.of());
    }
}
