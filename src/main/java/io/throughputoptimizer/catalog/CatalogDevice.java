package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.hardware.DeviceProfile;

/// A device of the catalogue.
///
/// @param location file that describes it, for messages
/// @param document as the file has it
record CatalogDevice(String location, DeviceDocument document, DeviceProfile profile) {

    String name() {
        return profile.name();
    }

    /// The document as it is handed out, with the effective figures.
    DeviceDocument handedOut() {
        return DeviceDocument.from(profile, document.source(), document.calibration());
    }
}
