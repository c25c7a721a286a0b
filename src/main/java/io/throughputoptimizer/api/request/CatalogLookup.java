package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.WorkloadRequest.ImageRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.catalog.InvalidDocumentException;
import io.throughputoptimizer.catalog.ModelSourceException;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.family.ModelFamily;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds what one request names or brings along, and collects what is wrong with it.
public final class CatalogLookup {
    static final String UNNAMED_MODEL = "model_config";

    private final Catalogs catalogs;
    private final List<Violation> violations = new ArrayList<>();

    public CatalogLookup(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// Returns the violations of a request that neither names nor brings a model.
    static List<Violation> missingModel(@Nullable String id, @Nullable Map<String, @Nullable Object> config) {
        return id == null && config == null
                ? List.of(new Violation("/model_id", "is required. Set model_id or model_config"))
                : List.of();
    }

    /// The model of an inline configuration, or else of the catalogue, or else of where models are looked for
    /// besides.
    public Optional<ModelArchitecture> model(@Nullable String id, @Nullable Map<String, @Nullable Object> config) {
        if (config != null) {
            return inlineModel(id == null ? UNNAMED_MODEL : id, config);
        }
        String wanted = id == null ? "" : id;
        Optional<ModelArchitecture> model = catalogs.models().find(wanted);
        return model.isPresent() ? model : modelFromElsewhere(wanted);
    }

    private Optional<ModelArchitecture> modelFromElsewhere(String id) {
        try {
            Optional<Map<String, @Nullable Object>> found = catalogs.elsewhere().config(id);
            if (found.isPresent()) {
                HuggingFaceConfig config = new HuggingFaceConfig(found.get());
                return Optional.of(StoredModel.of(id, config));
            }
            refuse(
                    "/model_id",
                    NearestNames.message("model", id, catalogs.models().ids()));
        } catch (ModelSourceException e) {
            if (e.isPassing()) {
                throw e;
            }
            refuse("/model_id", "is not in the catalogue, and " + e.reason());
        } catch (ModelConfigException e) {
            refuse("/model_id", "is not in the catalogue, and " + e.pointer() + " of its config.json: " + message(e));
        } catch (IllegalArgumentException e) {
            refuse("/model_id", "is not in the catalogue, and its config.json: " + message(e));
        }
        return Optional.empty();
    }

    private Optional<ModelArchitecture> inlineModel(String id, Map<String, @Nullable Object> entries) {
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        try {
            return Optional.of(StoredModel.of(id, config));
        } catch (ModelConfigException e) {
            refuseMember("/model_config" + e.pointer(), message(e));
        } catch (IllegalArgumentException e) {
            refuse("/model_config", message(e));
        }
        return Optional.empty();
    }

    /// The profile of an inline document.
    public Optional<DeviceProfile> inlineDevice(String pointer, DeviceDocument document) {
        try {
            return Optional.of(document.toProfile());
        } catch (InvalidDocumentException e) {
            refuseDefects(pointer, e);
            return Optional.empty();
        }
    }

    /// Refuses each defect of a document that stands at `pointer`.
    private void refuseDefects(String pointer, InvalidDocumentException document) {
        document.defects().forEach(defect -> refuseMember(pointer + defect.pointer(), defect.message()));
    }

    /// The device of the catalogue.
    public Optional<DeviceProfile> device(String pointer, String name) {
        Optional<DeviceProfile> device = catalogs.devices().find(name);
        if (device.isEmpty()) {
            refuse(
                    pointer,
                    NearestNames.message("device", name, catalogs.devices().namesAndAliases()));
        }
        return device;
    }

    /// The usual values of an engine.
    public Optional<Engine> engine(String pointer, String backend) {
        Engine engine = catalogs.engines().get(backend);
        if (engine == null) {
            refuse(
                    pointer,
                    NearestNames.message("backend", backend, catalogs.engines().keySet()));
        }
        return Optional.ofNullable(engine);
    }

    /// The calibration that an inline document brings along, if it does.
    public Optional<Calibration> inlineCalibration(String pointer, DeviceDocument document) {
        try {
            return catalogs.calibration(document);
        } catch (InvalidDocumentException e) {
            refuseDefects(pointer, e);
            return Optional.empty();
        }
    }

    /// Refuses a device that was not measured.
    public void refuseUncalibrated(String pointer, String device) {
        refuse(
                pointer,
                "must be a calibrated device, got " + device + "; allowed: "
                        + String.join(", ", catalogs.calibrations().keySet()));
    }

    /// The length distribution of the catalogue.
    public Optional<LengthDistribution> lengthDistribution(String pointer, String name) {
        Map<String, LengthDistribution> known = catalogs.lengthDistributions();
        if (!known.containsKey(name)) {
            refuse(pointer, NearestNames.message("length distribution", name, known.keySet()));
        }
        return Optional.ofNullable(known.get(name));
    }

    /// Refuses images that the model sees and that are not priced; those of a model that reads text only are
    /// ignored.
    public void refuseOverlooked(@Nullable ImageRequest image, ModelArchitecture model, String pointer) {
        if (image != null && ModelFamily.overlooksImages(model.family())) {
            refuse(pointer, "is not supported for " + model.family() + ": its vision tower is not priced. Remove it");
        }
    }

    /// The text of an exception that says which rule is broken.
    public static String message(IllegalArgumentException refusal) {
        return Objects.requireNonNullElse(refusal.getMessage(), "cannot be used");
    }

    /// Refuses a member with a message that begins with its name, or with `list[index]`: the pointer names it
    /// already.
    private void refuseMember(String pointer, String message) {
        String[] words = message.split(" ", 2);
        String named = "/" + words[0].replace("[", "/").replace("]", "");
        refuse(pointer, words.length == 2 && pointer.endsWith(named) ? words[1] : message);
    }

    public void refuse(String pointer, String message) {
        refuse(new Violation(pointer, message));
    }

    public void refuse(Violation violation) {
        violations.add(violation);
    }

    /// @throws InvalidRequestException with everything that was refused
    public void throwIfAny() {
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
    }
}
