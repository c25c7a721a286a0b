package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.EngineRequest.CacheName;
import io.throughputoptimizer.api.request.FeedbackRequest.ServedRowRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest.LayoutRequest;
import io.throughputoptimizer.api.request.MeasurementSets.MeasurementSet;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.feedback.Server;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Member `feedback` of an [OptimizationRequest]: what may stand beside it, the rows of stored sets, and what
/// they teach.
public final class FeedbackReader {
    private static final String POINTER = "/feedback";
    private static final String UNCORRECTED =
            "must not be combined with feedback, which calibrates means only. Remove one";

    private final OptimizationRequest request;
    private final FeedbackRequest feedback;

    FeedbackReader(OptimizationRequest request, FeedbackRequest feedback) {
        this.request = request;
        this.feedback = feedback;
    }

    public static Optional<FeedbackReader> of(OptimizationRequest request) {
        return Optional.ofNullable(request.feedback()).map(feedback -> new FeedbackReader(request, feedback));
    }

    /// The device that was measured; its name is among those of the request where it keeps the rules.
    private String device() {
        return feedback.device() == null ? request.devices().getFirst() : feedback.device();
    }

    /// Rules that need no catalogue, of a request with cost model `calibrated` in a mode that takes feedback.
    List<Violation> broken() {
        List<Violation> broken = new ArrayList<>();
        List<String> devices = request.devices().stream().distinct().toList();
        if (feedback.device() == null && devices.size() > 1) {
            broken.add(new Violation(
                    POINTER + "/device", "is required with " + devices.size() + " devices: name the measured one"));
        } else if (!devices.contains(device())) {
            broken.add(new Violation(POINTER + "/device", "must be one of devices, got " + device()));
        }
        EngineRequest engine = request.engine();
        if (engine != null) {
            if (engine.version() == null || engine.version().isBlank()) {
                broken.add(new Violation(
                        "/engine/version", "is required with feedback: measurements apply to one version"));
            }
            PerDevice<String> backend = engine.backend();
            if (backend != null && Engine.VLLM_ASCEND.equals(backend.of(device()))) {
                broken.add(new Violation(
                        backend.pointer("/engine/backend", device()),
                        "is not supported with backend " + Engine.VLLM_ASCEND
                                + ", which has no validated measurements. Remove feedback"));
            }
        }
        refuse(request.percentiles(), "/percentiles", UNCORRECTED, broken);
        refuse(request.slo().percentile(), "/slo/percentile", UNCORRECTED, broken);
        TrafficRequest traffic = request.traffic();
        refuse(traffic == null ? null : traffic.requestRate(), "/traffic/request_rate", UNCORRECTED, broken);
        if (request.workload().prefixCacheHitRate() > 0) {
            broken.add(new Violation(
                    "/workload/prefix_cache_hit_rate",
                    "must be 0 with feedback: measurements contain no prefix cache data"));
        }
        refuse(
                request.mode() == Mode.CAPACITY ? request.kvTransfer() : null,
                "/kv_transfer",
                "must not be combined with feedback, which covers aggregated instances only. Remove one",
                broken);
        return broken;
    }

    private static void refuse(@Nullable Object given, String pointer, String message, List<Violation> broken) {
        if (given != null) {
            broken.add(new Violation(pointer, message));
        }
    }

    /// Returns the request with all rows in one list, each with its lengths and waves.
    ///
    /// @throws InvalidRequestException if it names sets that are not there or of another server, or too many rows
    public OptimizationRequest completed(MeasurementSets sets) {
        TrafficRequest traffic = requireNonNull(request.traffic());
        List<Violation> broken = new ArrayList<>();
        List<ServedRowRequest> rows = new ArrayList<>();
        requireNonNullElse(feedback.rows(), List.<ServedRowRequest>of())
                .forEach(row -> rows.add(row.completed(traffic, null)));
        List<String> named = requireNonNullElse(feedback.measurements(), List.of());
        for (int index = 0; index < named.size(); index++) {
            String id = named.get(index);
            String pointer = POINTER + "/measurements/" + index;
            if (named.indexOf(id) < index) {
                broken.add(new Violation(pointer, "must be unique, got " + id + " twice"));
                continue;
            }
            Optional<MeasurementSet> set = sets.find(id);
            if (set.isEmpty()) {
                broken.add(new Violation(pointer, "must be the id of a set of measurements, got " + id));
            }
            set.flatMap(found -> difference(found.group()))
                    .ifPresent(words ->
                            broken.add(new Violation(pointer, "is " + id + ", which is of another server: " + words)));
            set.ifPresent(found -> found.rows().forEach(row -> rows.add(row.completed(traffic, id))));
        }
        if (rows.size() > FeedbackRequest.MOST_ROWS) {
            broken.add(new Violation(
                    POINTER + "/measurements",
                    "come to " + rows.size() + " rows with those of the request: at most " + FeedbackRequest.MOST_ROWS
                            + " are allowed"));
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
        return request.with(new FeedbackRequest(feedback.device(), rows, null));
    }

    /// In which member a set differs from the server that is asked about; empty where it is of that.
    private Optional<String> difference(MeasurementSet.Group group) {
        EngineRequest engine = requireNonNull(request.engine());
        Scheme scheme = request.quantization().scheme(device());
        Map<String, List<@Nullable Object>> members = new LinkedHashMap<>();
        members.put(
                "model_id",
                List.of(request.modelName(), group.modelId() == null ? CatalogLookup.UNNAMED_MODEL : group.modelId()));
        members.put("quantization.scheme", List.of(scheme, group.scheme()));
        members.put(
                "engine.kv_cache_dtype",
                List.of(
                        requireNonNullElse(engine.kvCacheDtype(), CacheName.of(scheme.defaultCache()))
                                .toType()
                                .label(),
                        group.cache().label()));
        members.put("device", List.of(device(), group.device()));
        members.put("engine.backend", List.of(engine.backend(device()), group.backend()));
        members.put("engine.version", List.of(requireNonNull(engine.version()), group.version()));
        return members.entrySet().stream()
                .filter(member -> !Objects.equals(
                        member.getValue().getFirst(), member.getValue().getLast()))
                .findFirst()
                .map(member -> member.getKey() + " is " + member.getValue().getLast() + " there and "
                        + member.getValue().getFirst() + " here")
                .or(() -> Objects.equals(request.modelConfig(), group.modelConfig())
                        ? Optional.empty()
                        : Optional.of("model_config is another one"))
                .or(() -> request.bringsDevice(device())
                        ? Optional.of(device() + " of device_profiles need not be the catalogue's")
                        : Optional.empty());
    }

    /// Devices of a problem, that which was measured with what its rows teach.
    ///
    /// @param profiles of the devices
    /// @param lookup takes layouts that the model or the device does not allow
    public List<CalibratedDevice> taught(
            List<CalibratedDevice> devices,
            List<DeviceProfile> profiles,
            ModelArchitecture model,
            CatalogLookup lookup) {
        return devices.stream()
                .map(device ->
                        device.name().equals(device()) ? taught(device, profile(profiles), model, lookup) : device)
                .toList();
    }

    private DeviceProfile profile(List<DeviceProfile> profiles) {
        return profiles.stream()
                .filter(profile -> profile.name().equals(device()))
                .findFirst()
                .orElseThrow();
    }

    private CalibratedDevice taught(
            CalibratedDevice device, DeviceProfile profile, ModelArchitecture model, CatalogLookup lookup) {
        List<ServedRowRequest> rows = requireNonNull(feedback.rows());
        Server server = device.serving(model);
        boolean possible = true;
        for (int index = 0; index < rows.size(); index++) {
            Optional<String> obstacle = obstacle(requireNonNull(rows.get(index).parallel()), profile, server);
            String pointer = POINTER + "/rows/" + index + "/parallel";
            obstacle.ifPresent(reason -> lookup.refuse(pointer, "cannot be what was measured: " + reason));
            possible &= obstacle.isEmpty();
        }
        return possible
                ? device.with(
                        server.learn(rows.stream().map(row -> row.toRow(model)).toList()))
                : device;
    }

    private static Optional<String> obstacle(LayoutRequest layout, DeviceProfile profile, Server server) {
        ModelArchitecture model = server.model();
        Optional<String> tooMany = profile.obstacle(layout.deviceCount());
        if (tooMany.isPresent()) {
            return tooMany;
        }
        if (model.experts().isEmpty()) {
            return layout.ep() > 1
                    ? Optional.of("ep is " + layout.ep() + ", and " + model.id() + " has no experts")
                    : server.obstacle(layout.toLayout(model)).map(found -> found.reason());
        }
        return layout.deviceCount() % layout.ep() != 0
                ? Optional.of("ep " + layout.ep() + " does not divide tp * dp = " + layout.deviceCount())
                : server.obstacle(layout.toLayout(model)).map(found -> found.reason());
    }
}
