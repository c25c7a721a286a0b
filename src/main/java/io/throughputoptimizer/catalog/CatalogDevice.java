package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.catalog.DeviceDocument.DeviceAlias;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import java.util.List;
import java.util.stream.Stream;

/// A device of the catalog.
///
/// @param location its file, for messages
/// @param document content of the file
record CatalogDevice(String location, DeviceDocument document, DeviceProfile profile) {

    String name() {
        return profile.name();
    }

    /// Returns the device under each alias.
    Stream<DeviceProfile> byAliases() {
        return aliases().stream()
                .map(alias -> profile.as(
                        requireNonNull(alias.name()), alias.name() + " stands for " + name() + ": " + alias.means()));
    }

    List<DeviceAlias> aliases() {
        return requireNonNullElse(document.aliases(), List.of());
    }

    /// Returns the document for responses, with the effective rates.
    DeviceDocument handedOut() {
        return DeviceDocument.from(profile, document);
    }
}
