package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Calibrations of the catalog, each with the one it borrows from.
final class Calibrations {
    /// For each family, the device with the most unpooled kernel measurements.
    private static final Map<String, String> DONORS = Map.of(
            "hopper", "h200_sxm",
            "ampere", "h200_sxm",
            "ada", "h200_sxm",
            "blackwell", "b200_sxm",
            "blackwell-pcie", "b200_sxm",
            "blackwell-ultra", "b300_sxm");

    /// The only device whose scan of Mamba2 was measured; it lends the scan to all families.
    private static final String SCANNED = "b200_sxm";

    private final Map<String, Calibration> lenders = new LinkedHashMap<>();
    private final Map<String, Calibration> byDevice = new LinkedHashMap<>();

    /// @throws CatalogException if one borrows from an unknown calibration
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

    /// Returns the calibration of a document with the one it borrows from; empty if the document has none.
    ///
    /// @throws InvalidDocumentException if the other calibration is unknown, or the calibration is invalid
    Optional<Calibration> read(DeviceDocument device) {
        CalibrationDocument document = device.calibration();
        if (document == null) {
            return Optional.empty();
        }
        Calibration calibration = document.toCalibration();
        Calibration lender = lender(document.borrowFrom());
        Calibration borrowing = lender == null ? calibration : calibration.borrowingFrom(lender);
        return Optional.of(borrowing.standingInBy(scanning(donor(borrowing, document.borrowFrom()), borrowing)));
    }

    /// Returns the donor with the scan of Mamba2; null without either.
    private @Nullable Calibration scanning(@Nullable Calibration donor, Calibration calibration) {
        Calibration scanned = lenders.get(SCANNED);
        if (scanned == null || !DONORS.containsKey(calibration.family())) {
            return donor;
        }
        return donor == null
                ? scanned.limitedTo(KernelClass.MAMBA2_SCAN)
                : donor.filledBy(scanned, KernelClass.MAMBA2_SCAN);
    }

    /// Returns the donor of the family, or null if it is the calibration itself or the one it borrows from.
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

    /// Returns the calibrations by device name, in order.
    Map<String, Calibration> byDevice() {
        return byDevice;
    }
}
