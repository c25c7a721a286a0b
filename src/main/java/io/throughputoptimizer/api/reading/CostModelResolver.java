package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.Applicability;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.CostModelChoice;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.EstimateRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.catalog.InvalidDocumentException;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.StateType;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Resolves `cost_model: auto`, and fills in the engine and the weight format of the checkpoint for `calibrated`.
public final class CostModelResolver {
    private static final String USUAL_BACKEND = "vllm";
    private static final String COMPARED = "all devices were compared with measured servers";

    private final Catalogs catalogs;

    CostModelResolver(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// A chosen cost model.
    ///
    /// @param reason clause that says why
    public record Choice(CostModelName costModel, String reason) {
        /// Returns the clause for the assumptions of a response.
        public String text() {
            return switch (costModel) {
                case ANALYTIC -> "cost model analytic: " + reason;
                case CALIBRATED -> "cost model calibrated: " + reason;
            };
        }
    }

    /// Fields of a request on which the choice depends.
    ///
    /// @param mode absent in requests about one deployment
    /// @param documented whether the request states the accounting of msmodeling
    private record Stated(
            Class<? extends Record> type,
            Set<String> given,
            @Nullable Mode mode,
            boolean documented,
            List<String> devices,
            List<DeviceDocument> profiles,
            @Nullable String modelId,
            @Nullable Map<String, @Nullable Object> modelConfig,
            double prefixCacheHitRate) {
        static Stated of(OptimizationRequest request, Set<String> given) {
            return new Stated(
                    OptimizationRequest.class,
                    given,
                    request.mode(),
                    given.contains("/accounting") && request.isDocumented(),
                    request.devices().stream().filter(Objects::nonNull).toList(),
                    request.deviceProfiles(),
                    request.modelId(),
                    request.modelConfig(),
                    request.workload().prefixCacheHitRate());
        }

        static Stated of(EstimateRequest request, Set<String> given) {
            DeviceDocument profile = request.deviceProfile();
            return new Stated(
                    EstimateRequest.class,
                    given,
                    null,
                    false,
                    List.of(request.device()),
                    profile == null ? List.of() : List.of(profile),
                    request.modelId(),
                    request.modelConfig(),
                    0);
        }

        /// Returns the pointer of a stated field that one cost model supports and the other does not. Mode
        /// `disaggregation`, which is analytic, decides about no other field.
        Optional<String> fieldOf(CostModelName one, CostModelName other) {
            Mode deciding = mode == Mode.DISAGGREGATION ? null : mode;
            return Applicability.of(type).stream()
                    .filter(field -> given.contains(field.pointer())
                            && field.isTaken(one, deciding)
                            && !field.isTaken(other, deciding))
                    .map(Applicability::pointer)
                    .findFirst();
        }

        /// Returns a stated field or value that `analytic` alone supports, as `quantization.linear`.
        Optional<String> onlyAnalytic() {
            return fieldOf(CostModelName.ANALYTIC, CostModelName.CALIBRATED)
                    .map(CostModelResolver::dotted)
                    .or(() -> mode == Mode.DISAGGREGATION ? Optional.of("mode disaggregation") : Optional.empty())
                    .or(() -> documented ? Optional.of("accounting documented") : Optional.empty());
        }

        boolean statesAnalyticWeights() {
            return Stream.of("linear", "non_expert_linear", "attention", "mxfp4_group_size")
                    .anyMatch(field -> given.contains("/quantization/" + field));
        }

        Optional<DeviceDocument> profile(String device) {
            return profiles.stream()
                    .filter(profile -> profile != null && device.equals(profile.name()))
                    .findFirst();
        }
    }

    /// Returns the request with a chosen cost model. A request that states `analytic` stays as it is.
    ///
    /// @param given pointers of the fields that the body sets, to the second level
    /// @throws InvalidRequestException if no cost model supports a field on these devices or with another field
    OptimizationRequest resolved(OptimizationRequest request, Set<String> given) {
        return switch (request.costModel()) {
            case ANALYTIC -> request;
            case CALIBRATED -> completed(request, given);
            case AUTO ->
                switch (choose(request, given).costModel()) {
                    case ANALYTIC -> request.analytic();
                    case CALIBRATED -> completed(request.calibrated(given.contains("/accounting")), given);
                };
        };
    }

    /// Returns the request with a chosen cost model, as [#resolved(OptimizationRequest, Set)].
    ///
    /// @param given likewise
    EstimateRequest resolved(EstimateRequest request, Set<String> given) {
        return switch (request.costModel()) {
            case ANALYTIC -> request;
            case CALIBRATED -> completed(request, given);
            case AUTO ->
                switch (choose(Stated.of(request, given)).costModel()) {
                    case ANALYTIC -> request.analytic();
                    case CALIBRATED -> completed(request.calibrated(given.contains("/num_devices")), given);
                };
        };
    }

    /// Returns the choice for a request with `cost_model: auto`.
    ///
    /// @param given likewise
    Choice choose(OptimizationRequest request, Set<String> given) {
        return choose(Stated.of(request, given));
    }

    /// Returns the choice for a request, or empty if the request states its cost model.
    ///
    /// @param given likewise
    Optional<Choice> choice(EstimateRequest request, Set<String> given) {
        return request.costModel() == CostModelChoice.AUTO
                ? Optional.of(choose(Stated.of(request, given)))
                : Optional.empty();
    }

    private Choice choose(Stated stated) {
        Optional<String> analytic = stated.onlyAnalytic();
        Optional<String> calibrated = stated.fieldOf(CostModelName.CALIBRATED, CostModelName.ANALYTIC);
        if (calibrated.isPresent()) {
            checkSupport(calibrated.get(), stated, analytic);
            return new Choice(CostModelName.CALIBRATED, "analytic does not support " + dotted(calibrated.get()));
        }
        if (analytic.isPresent()) {
            return analytic("calibrated does not support " + analytic.get());
        }
        return stated.devices.stream()
                .filter(device -> !isCompared(stated, device))
                .findFirst()
                .map(device -> analytic(device + " was not compared with measured servers"))
                .or(() -> model(stated).map(model -> priced(stated, model)))
                .orElseGet(() -> analytic("the model is unknown"));
    }

    /// Checks that `calibrated` can price a request with a field that it alone supports.
    ///
    /// @param pointer JSON pointer of the field
    /// @param analytic field or value that `analytic` alone supports; empty for none
    private void checkSupport(String pointer, Stated stated, Optional<String> analytic) {
        String requires = "requires cost_model calibrated, ";
        analytic.ifPresent(other -> {
            throw new InvalidRequestException(
                    pointer, requires + "which does not support " + other + ". Remove one of them");
        });
        stated.devices.stream()
                .filter(device -> stated.profile(device).isPresent()
                        || catalogs.devices().find(device).isPresent())
                .filter(device -> calibrationOf(stated, device).isEmpty())
                .findFirst()
                .ifPresent(device -> {
                    throw new InvalidRequestException(
                            pointer,
                            requires + "which has no kernels of " + device + ". Remove it or choose another device");
                });
    }

    private boolean isCompared(Stated stated, String device) {
        return calibrationOf(stated, device)
                .filter(calibration -> calibration.isCompared(stated.mode == Mode.PD_RATIO))
                .isPresent();
    }

    /// Returns the choice for a model on devices that were compared.
    private Choice priced(Stated stated, ModelArchitecture model) {
        Optional<Scheme> scheme = Scheme.of(model);
        Optional<String> backend = backend(stated);
        if (scheme.isEmpty() || backend.isEmpty()) {
            return analytic("calibrated has no kernels for the weights of this checkpoint");
        }
        if (stated.prefixCacheHitRate > 0 && model.keepsStates()) {
            return analytic("calibrated does not support workload.prefix_cache_hit_rate with linear attention");
        }
        Precision precision = new Precision(
                scheme.get(),
                CacheType.unlessTold(model)
                        .or(() -> CacheType.only(model))
                        .orElse(scheme.get().defaultCache()),
                StateType.FLOAT32,
                model.stored() != null);
        boolean priced = calibrations(stated).stream()
                .map(calibration -> new CalibratedDeployment(
                        model,
                        calibration,
                        CalibratedDeployment.layout(model, 1, 1, 1),
                        requireNonNull(catalogs.engines().get(backend.get())),
                        precision))
                .allMatch(deployment -> deployment.servingObstacle().isEmpty());
        return priced
                ? new Choice(CostModelName.CALIBRATED, COMPARED)
                : analytic("calibrated does not support this model on these devices");
    }

    private static Choice analytic(String reason) {
        return new Choice(CostModelName.ANALYTIC, reason);
    }

    private Optional<ModelArchitecture> model(Stated stated) {
        return new CatalogLookup(catalogs).model(stated.modelId, stated.modelConfig);
    }

    /// Returns the calibrations of the devices that have one.
    private List<Calibration> calibrations(Stated stated) {
        return stated.devices.stream()
                .flatMap(device -> calibrationOf(stated, device).stream())
                .toList();
    }

    private Optional<Calibration> calibrationOf(Stated stated, String device) {
        Optional<DeviceDocument> profile = stated.profile(device);
        try {
            return profile.isPresent() ? catalogs.calibration(profile.get()) : catalogs.calibrationOf(device);
        } catch (InvalidDocumentException _) {
            return Optional.empty(); // the request is rejected for it later
        }
    }

    /// Returns the engine of a request without one: an engine that was measured on all devices, vLLM if possible.
    private Optional<String> backend(Stated stated) {
        List<Calibration> calibrations = calibrations(stated);
        return Stream.concat(Stream.of(USUAL_BACKEND), catalogs.engines().keySet().stream())
                .filter(name -> calibrations.stream()
                        .allMatch(calibration -> calibration.versions().containsKey(name)))
                .findFirst();
    }

    /// Returns a calibrated request with a backend, and with the weight format and the KV cache of the checkpoint if it
    /// states no weight format.
    private OptimizationRequest completed(OptimizationRequest request, Set<String> given) {
        Stated stated = Stated.of(request, given);
        Optional<ModelArchitecture> stored = ofCheckpoint(request.quantization(), stated);
        Optional<Scheme> scheme = stored.flatMap(Scheme::of);
        return request.with(
                engine(request.engine(), stated, stored),
                scheme.isEmpty()
                        ? request.quantization()
                        : QuantizationRequest.ofCheckpoint(
                                scheme.get(), stored.orElseThrow().stored() != null));
    }

    /// Returns a calibrated request, as [#completed(OptimizationRequest, Set)]; the weight format is chosen later.
    private EstimateRequest completed(EstimateRequest request, Set<String> given) {
        Stated stated = Stated.of(request, given);
        return request.with(engine(request.engine(), stated, ofCheckpoint(request.quantization(), stated)));
    }

    private @Nullable EngineRequest engine(
            @Nullable EngineRequest engine, Stated stated, Optional<ModelArchitecture> stored) {
        String backend = stated.given.contains("/engine/backend")
                ? null
                : backend(stated).orElse(null);
        return engine == null && backend == null
                ? null
                : EngineRequest.withDefaults(
                        engine,
                        backend,
                        stored.filter(model -> Scheme.of(model).isPresent())
                                .flatMap(CacheType::unlessTold)
                                .or(() -> model(stated).flatMap(CacheType::only))
                                .orElse(null));
    }

    /// Returns the model whose checkpoint decides the formats; empty if the request states formats, or is unknown.
    private Optional<ModelArchitecture> ofCheckpoint(QuantizationRequest quantization, Stated stated) {
        return quantization.scheme() != null || stated.statesAnalyticWeights() ? Optional.empty() : model(stated);
    }

    private static String dotted(String pointer) {
        return pointer.substring(1).replace('/', '.');
    }
}
