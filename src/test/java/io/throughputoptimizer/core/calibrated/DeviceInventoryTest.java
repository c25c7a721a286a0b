package io.throughputoptimizer.core.calibrated;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.calibrated.DeviceInventory.Numbers;
import io.throughputoptimizer.core.search.InstanceCounts;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeviceInventoryTest {
    @Test
    void countsLeaveNoRoomForOneMoreInstance() {
        assertThat(new DeviceInventory(16, 2, 4).counts())
                .containsExactly(new InstanceCounts(2, 3), new InstanceCounts(4, 2), new InstanceCounts(6, 1));
        assertThat(new DeviceInventory(16, 4, 4).counts())
                .containsExactly(new InstanceCounts(1, 3), new InstanceCounts(2, 2), new InstanceCounts(3, 1));
        assertThat(new DeviceInventory(9, 4, 4).counts()).containsExactly(new InstanceCounts(1, 1));
        assertThat(new DeviceInventory(7, 4, 4).counts()).isEmpty();
    }

    /// How many there are is known without making them.
    @ParameterizedTest
    @MethodSource("seeds")
    void countsAreCountedWithoutBeingMade(long seed) {
        Random random = new Random(seed);
        for (Numbers numbers : Numbers.values()) {
            int devices = 1 + random.nextInt(90);
            int ofDecode = numbers == Numbers.APART ? 1 + random.nextInt(30) : devices;
            DeviceInventory stock =
                    new DeviceInventory(devices, ofDecode, 1 + random.nextInt(40), 1 + random.nextInt(40), numbers);
            assertThat(stock.mostCounts())
                    .as(stock.toString())
                    .isEqualTo(stock.counts().size());
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }
}
