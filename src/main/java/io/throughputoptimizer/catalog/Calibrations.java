package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.silicon.calibration.Calibration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Calibrations of the catalogue, each with that it borrows from.
final class Calibrations {
    private final Map<String, Calibration> lenders = new LinkedHashMap<>();
    private final Map<String, Calibration> byDevice = new LinkedHashMap<>();

    /// @throws CatalogException if one borrows from a calibration that is not there
    Calibrations(List<CatalogDevice> devices) {
        devices.forEach(device -> {
            CalibrationDocument document = device.document().calibration();
            if (document != null) {
                Calibration calibration = document.toCalibration();
                lenders.putIfAbsent(calibration.device(), calibration);
            }
        });
        devices.forEach(device -> {
            try {
                read(device.document()).ifPresent(calibration -> byDevice.put(device.name(), calibration));
            } catch (InvalidDocumentException e) {
                throw new CatalogException(device.location(), e.defects());
            }
        });
    }

    /// The calibration in a document, with that it borrows from; empty when the document has none.
    ///
    /// @throws InvalidDocumentException if that is not there, or the calibration makes no sense
    Optional<Calibration> read(DeviceDocument device) {
        CalibrationDocument document = device.calibration();
        if (document == null) {
            return Optional.empty();
        }
        Calibration calibration = document.toCalibration();
        Calibration lender = lender(document.borrowFrom());
        return Optional.of(lender == null ? calibration : calibration.borrowingFrom(lender));
    }

    private @Nullable Calibration lender(@Nullable String name) {
        if (name == null) {
            return null;
        }
        Calibration lender = lenders.get(name);
        if (lender == null) {
            throw new InvalidDocumentException(List.of(new Defect(
                    "/calibration/borrow_from", NearestNames.message("calibration", name, lenders.keySet()))));
        }
        return lender;
    }

    /// Calibrations by the name of the device that has them, in order.
    Map<String, Calibration> byDevice() {
        return byDevice;
    }
}
