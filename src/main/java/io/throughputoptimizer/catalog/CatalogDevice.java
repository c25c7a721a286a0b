package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import org.jspecify.annotations.Nullable;

/// A device of the catalogue and where its figures come from.
record CatalogDevice(DeviceProfile profile, @Nullable String source) {

    String name() {
        return profile.name();
    }
}
