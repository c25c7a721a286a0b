package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.EveryNight;
import java.util.Map;

/// Where nobody is asked for a key, addresses share.
@EveryNight
class SharedPlacesIT extends SharedPlacesContract {
    private int addresses;

    @Override
    Someone newcomer() {
        addresses++;
        return Someone.of("127.0.0." + addresses, Map.of());
    }
}
