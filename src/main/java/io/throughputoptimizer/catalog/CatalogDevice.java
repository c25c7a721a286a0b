package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.catalog.DeviceDocument.DeviceAlias;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import java.util.List;
import java.util.stream.Stream;

/// A device of the catalogue.
///
/// @param location file that describes it, for messages
/// @param document as the file has it
record CatalogDevice(String location, DeviceDocument document, DeviceProfile profile) {

    String name() {
        return profile.name();
    }

    /// The device by each of its other names.
    Stream<DeviceProfile> byAliases() {
        return aliases().stream()
                .map(alias -> profile.as(
                        requireNonNull(alias.name()), alias.name() + " stands for " + name() + ": " + alias.means()));
    }

    List<DeviceAlias> aliases() {
        return requireNonNullElse(document.aliases(), List.of());
    }

    /// The document as it is handed out, with the effective figures.
    DeviceDocument handedOut() {
        return DeviceDocument.from(profile, document);
    }
}
