package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.silicon.calibration.Calibration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Calibrations of the catalogue, each with that it borrows from.
final class Calibrations {
    /// By family the device with the most measurements of kernels that are not pooled.
    private static final Map<String, String> DONORS = Map.of(
            "hopper", "h200_sxm",
            "ampere", "h200_sxm",
            "ada", "h200_sxm",
            "blackwell", "b200_sxm",
            "blackwell-pcie", "b200_sxm",
            "blackwell-ultra", "b300_sxm");

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
        Calibration borrowing = lender == null ? calibration : calibration.borrowingFrom(lender);
        return Optional.of(borrowing.standingInBy(donor(borrowing, document.borrowFrom())));
    }

    /// The device that stands for the generation, unless it is that itself or that which it
    /// borrows from.
    private @Nullable Calibration donor(Calibration calibration, @Nullable String borrowed) {
        String name = DONORS.get(calibration.family());
        return name == null || name.equals(calibration.device()) || name.equals(borrowed) ? null : lenders.get(name);
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
