package io.throughputoptimizer.api;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.catalog.InvalidDocumentException;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.core.deployment.Deployment.Execution;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.HuggingFaceConfig;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelConfigException;
import io.throughputoptimizer.core.model.ModelFamily;
import io.throughputoptimizer.core.workload.LengthDistribution;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds what one request names or brings along, and collects what is wrong with it.
final class CatalogLookup {
    static final String UNNAMED_MODEL = "model_config";

    private final Catalogs catalogs;
    private final List<Violation> violations = new ArrayList<>();

    CatalogLookup(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// The model of an inline configuration, or else of the catalogue.
    Optional<ModelArchitecture> model(@Nullable String id, @Nullable Map<String, @Nullable Object> config) {
        if (config != null) {
            return inlineModel(id == null ? UNNAMED_MODEL : id, config);
        }
        String wanted = id == null ? "" : id;
        Optional<ModelArchitecture> model = catalogs.models().find(wanted);
        if (model.isEmpty()) {
            refuse(
                    "/model_id",
                    NearestNames.message("model", wanted, catalogs.models().ids()));
        }
        return model;
    }

    private Optional<ModelArchitecture> inlineModel(String id, Map<String, @Nullable Object> entries) {
        HuggingFaceConfig config = new HuggingFaceConfig(entries);
        try {
            return Optional.of(ModelFamily.of(config).architecture(id, config));
        } catch (ModelConfigException e) {
            refuseMember("/model_config" + e.pointer(), message(e));
        } catch (IllegalArgumentException e) {
            refuse("/model_config", message(e));
        }
        return Optional.empty();
    }

    /// The profile of an inline document.
    Optional<DeviceProfile> inlineDevice(String pointer, DeviceDocument document) {
        try {
            return Optional.of(document.toProfile());
        } catch (InvalidDocumentException e) {
            e.defects().forEach(defect -> refuseMember(pointer + defect.pointer(), defect.message()));
            return Optional.empty();
        }
    }

    /// The device of the catalogue.
    Optional<DeviceProfile> device(String pointer, String name) {
        Optional<DeviceProfile> device = catalogs.devices().find(name);
        if (device.isEmpty()) {
            refuse(
                    pointer,
                    NearestNames.message("device", name, catalogs.devices().names()));
        }
        return device;
    }

    /// The length distribution of the catalogue.
    Optional<LengthDistribution> lengthDistribution(String pointer, String name) {
        Map<String, LengthDistribution> known = catalogs.lengthDistributions();
        if (!known.containsKey(name)) {
            refuse(pointer, NearestNames.message("length distribution", name, known.keySet()));
        }
        return Optional.ofNullable(known.get(name));
    }

    /// Refuses a device whose grid holds fewer devices than are asked for.
    void requireRoom(String pointer, DeviceProfile device, int numDevices) {
        long room = device.interconnect().deviceCount();
        if (room < numDevices) {
            refuse(pointer, "is " + numDevices + ": the grid of " + device.name() + " holds " + room + " devices");
        }
    }

    /// Refuses a way of running the model that is not modelled for its family: draft tokens, graphs that are not
    /// compiled, a quantized cache without quantized linears.
    ///
    /// @param prefix where the request keeps `compile` and `num_mtp_tokens`
    void requireModelled(String prefix, ModelArchitecture model, QuantizationScheme quantization, Execution execution) {
        if (execution.mtpTokens() > 0 && !model.predictsDrafts()) {
            refuse(
                    prefix + "/num_mtp_tokens",
                    "is " + execution.mtpTokens() + ": model " + model.id() + " has no multi-token prediction");
        }
        if (!execution.compiled() && !model.runsEager()) {
            refuse(
                    prefix + "/compile",
                    "is false: graphs that are not compiled are not modelled for " + model.family());
        }
        if (quantization.attention().isEnabled()
                && !quantization.linear().isEnabled()
                && model.attention() instanceof AttentionSpec.MultiHeadLatent) {
            refuse(
                    "/quantization/attention",
                    "is " + quantization.attention() + ": latent attention needs quantized linears for it");
        }
    }

    /// The text of an exception that says which rule is broken.
    static String message(IllegalArgumentException refusal) {
        return Objects.requireNonNullElse(refusal.getMessage(), "cannot be used");
    }

    /// Refuses a member with a message that begins with its name, or with `list[index]`: the pointer names it already.
    private void refuseMember(String pointer, String message) {
        String[] words = message.split(" ", 2);
        String named = "/" + words[0].replace("[", "/").replace("]", "");
        refuse(pointer, words.length == 2 && pointer.endsWith(named) ? words[1] : message);
    }

    void refuse(String pointer, String message) {
        violations.add(new Violation(pointer, message));
    }

    /// @throws InvalidRequestException with everything that was refused
    void throwIfAny() {
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
    }
}
