package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.BandCoverage;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.DeviceCounts;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.FeedbackReader;
import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.PdRatioRequest;
import io.throughputoptimizer.api.request.TrafficRequest;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedProblem.CalibratedDemand;
import io.throughputoptimizer.core.capacity.CalibratedCapacityProblem;
import io.throughputoptimizer.core.explain.CalibratedAlternatives;
import io.throughputoptimizer.core.explain.Explainer;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Turns an [OptimizationRequest] with cost model `calibrated` that keeps the rules on its records into a
/// [CalibratedProblem].
final class CalibratedProblemReader {
    private final Catalogs catalogs;
    private final long maximumPoints;

    /// @param maximumPoints largest upper bound of points of a search whose sizes are chosen here
    CalibratedProblemReader(Catalogs catalogs, long maximumPoints) {
        this.catalogs = catalogs;
        this.maximumPoints = maximumPoints;
    }

    /// The engine of a request that was read, with all values that it leaves to the backend and the scheme; as it
    /// came where devices have their own, for which these values differ.
    EngineRequest engine(OptimizationRequest request, SearchQuestion question) {
        EngineRequest engine = requireNonNull(request.engine());
        String device = request.devices().getFirst();
        return isForEach(request)
                ? engine
                : engine.repeatable(
                        serving(usual(engine.backend(device)), question),
                        request.quantization().scheme(device));
    }

    /// Returns whether the request sets an engine or a scheme per device.
    private static boolean isForEach(OptimizationRequest request) {
        return requireNonNull(requireNonNull(request.engine()).backend()).isForEach()
                || requireNonNull(request.quantization().scheme()).isForEach();
    }

    /// An engine as it serves what is asked about.
    private static Engine serving(Engine usual, SearchQuestion question) {
        return switch (question) {
            case SearchQuestion.Calibrated(var problem, var _, var _) ->
                problem.instances() == null ? usual.serving(problem.model()) : usual.apart();
            case SearchQuestion.MeasuredCapacity(var problem) ->
                usual.servingEither(problem.measured().model());
            case SearchQuestion.Analytic _, SearchQuestion.Capacity _ -> usual;
        };
    }

    private Engine usual(String backend) {
        return requireNonNull(catalogs.engines().get(backend));
    }

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    SearchQuestion question(OptimizationRequest request) {
        CalibratedProblem problem = read(request);
        Map<String, Integer> most = ProblemReader.devices(request, new CatalogLookup(catalogs)).stream()
                .collect(Collectors.toMap(DeviceProfile::name, device -> (int)
                        Math.min(Integer.MAX_VALUE - 1, device.interconnect().deviceCount())));
        return request.mode() == Mode.CAPACITY
                ? new SearchQuestion.MeasuredCapacity(capacity(request, problem, most))
                : new SearchQuestion.Calibrated(problem, request.explained(), alternatives(request, problem, most));
    }

    private CalibratedAlternatives alternatives(
            OptimizationRequest request, CalibratedProblem problem, Map<String, Integer> most) {
        return new CalibratedAlternatives(
                most,
                requireNonNull(request.engine())
                        .asksForCache(problem.devices().getFirst().precision().scheme()),
                isForEach(request) || !request.deviceProfiles().isEmpty() ? List.of() : others(problem));
    }

    /// Returns the calibrated devices that support the available number of devices, with the engine, precision and
    /// limits of the problem's first device.
    private List<CalibratedDevice> others(CalibratedProblem problem) {
        CalibratedDevice asked = problem.devices().getFirst();
        return catalogs.devices().all().stream()
                .filter(device -> catalogs.calibrations().containsKey(device.name())
                        && device.obstacle(problem.available().most()).isEmpty())
                .map(device -> new CalibratedDevice(
                        device.name(),
                        requireNonNull(catalogs.calibrations().get(device.name())),
                        asked.engine(),
                        asked.precision(),
                        asked.limits(),
                        null))
                .toList();
    }

    private static CalibratedCapacityProblem capacity(
            OptimizationRequest request, CalibratedProblem problem, Map<String, Integer> most) {
        return ProblemReader.sound(() -> new CalibratedCapacityProblem(
                problem,
                requireNonNullElse(request.instanceSizes(), List.of()),
                requireNonNull(request.demand())
                        .toRequirement(
                                requireNonNull(request.headroom()),
                                problem.demand().traffic().mean().outputTokens()),
                most,
                KvTransferRequest.toTransfer(request.kvTransfer())));
    }

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    CalibratedProblem read(OptimizationRequest request) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        Optional<ModelArchitecture> model = lookup.model(request.modelId(), request.modelConfig());
        requireKnownBackends(request, lookup);
        Optional<Workload> workload = WorkloadReader.read(request.workload(), lookup);
        List<Optional<Calibration>> calibrations = calibrations(request, lookup);
        lookup.throwIfAny();
        List<CalibratedDevice> devices = devices(request, calibrations);
        List<CalibratedDevice> taught = FeedbackReader.of(request)
                .map(feedback ->
                        feedback.taught(devices, ProblemReader.devices(request, lookup), model.orElseThrow(), lookup))
                .orElse(devices);
        CalibratedProblem together = new CalibratedProblem(
                model.orElseThrow(),
                taught,
                DeviceCounts.available(request),
                null,
                request.search().measuredSizes(request.speculation()),
                new CalibratedDemand(
                        traffic(request, workload.orElseThrow()),
                        request.slo().toLimits(),
                        request.search().rankBatches(),
                        request.isSimulated(),
                        request.ranking()),
                BandCoverage.of(request.bandCoverage()),
                ConcurrencySampling.EVERY_SUMMIT);
        CalibratedProblem problem = together.with(instances(request, together));
        requireNonNull(request.engine()).check(problem.model(), lookup);
        new CalibratedProblemRules(problem, request, lookup).check();
        new ContextRules(problem.model(), request.goesBeyondContext(), lookup)
                .check(request.workload(), problem.demand().traffic().lengths());
        lookup.throwIfAny();
        return problem;
    }

    private static void requireKnownBackends(OptimizationRequest request, CatalogLookup lookup) {
        PerDevice<String> backends =
                requireNonNull(requireNonNull(request.engine()).backend());
        Map<String, String> byPointer = new LinkedHashMap<>();
        for (String device : request.devices()) {
            byPointer.put(
                    backends.pointer("/engine/backend", device),
                    requireNonNull(request.engine()).backend(device));
        }
        byPointer.forEach(lookup::engine);
    }

    private List<Optional<Calibration>> calibrations(OptimizationRequest request, CatalogLookup lookup) {
        List<Optional<Calibration>> calibrations = new ArrayList<>();
        for (DeviceProfile device : ProblemReader.devices(request, lookup)) {
            if (request.mode() != Mode.CAPACITY) {
                device.obstacle(DeviceCounts.of(request, device.name()))
                        .ifPresent(reason -> lookup.refuse(DeviceCounts.pointer(request, device.name()), reason));
            }
            Optional<Calibration> calibration = calibration(request, device.name(), lookup);
            if (calibration.isEmpty()) {
                lookup.refuseUncalibrated("/devices/" + request.devices().indexOf(device.name()), device.name());
            }
            calibrations.add(calibration);
        }
        return calibrations;
    }

    /// Returns the calibration of an inline profile, or else of the catalog.
    private Optional<Calibration> calibration(OptimizationRequest request, String device, CatalogLookup lookup) {
        for (int index = 0; index < request.deviceProfiles().size(); index++) {
            DeviceDocument profile = request.deviceProfiles().get(index);
            if (device.equals(profile.name())) {
                return lookup.inlineCalibration("/device_profiles/" + index, profile);
            }
        }
        return catalogs.calibrationOf(device);
    }

    private List<CalibratedDevice> devices(OptimizationRequest request, List<Optional<Calibration>> calibrations) {
        List<String> names = request.devices().stream().distinct().toList();
        List<CalibratedDevice> devices = new ArrayList<>();
        for (int index = 0; index < names.size(); index++) {
            String name = names.get(index);
            EngineRequest given = requireNonNull(request.engine());
            Engine usual = usual(given.backend(name));
            Scheme scheme = request.quantization().scheme(name);
            EngineRequest engine = given.completed(usual, scheme);
            devices.add(new CalibratedDevice(
                    name,
                    calibrations.get(index).orElseThrow(),
                    given.toEngine(usual),
                    engine.toPrecision(scheme, request.quantization().isOfCheckpoint()),
                    engine.toLimits(),
                    null));
        }
        return devices;
    }

    private static Traffic traffic(OptimizationRequest request, Workload workload) {
        TrafficRequest traffic = requireNonNull(request.traffic());
        RequestLengths lengths = RequestLengths.of(workload, traffic.randomRangeRatio());
        return new Traffic(
                lengths,
                workload.prefixCacheHitRate(),
                traffic.wavesOrDefault(),
                requireNonNullElse(traffic.thinkMs(), 0.0),
                traffic.rate(),
                lengths.areEqual());
    }

    /// Returns the pairing. If the open sizes are too many to search, drops sizes without room for a KV cache, then
    /// the largest but one, then the smallest.
    private @Nullable Pairing instances(OptimizationRequest request, CalibratedProblem problem) {
        PdRatioRequest instances = request.pdRatio();
        if (instances == null) {
            return null;
        }
        int most = DeviceCounts.most(request);
        IntPredicate hasLayout = devices -> problem.countOfInstanceLayouts(devices) > 0;
        Pairing pairing = instances.toPairing(most, hasLayout);
        boolean prefillIsOpen = instances.prefillDevicesPerInstance() == null;
        boolean decodeIsOpen = instances.decodeDevicesPerInstance() == null;
        if ((!prefillIsOpen && !decodeIsOpen) || !isTooLarge(problem.with(pairing), request.explained())) {
            return pairing;
        }
        Pairing holding = instances.toPairing(most, hasLayout.and(problem::holdsCache));
        List<Integer> sizes = (prefillIsOpen ? holding.prefill() : holding.decode()).sizes();
        int from = 0;
        int to = sizes.size();
        pairing = holding;
        while (from + 1 < sizes.size() && isTooLarge(problem.with(pairing), request.explained())) {
            from += to - from > 1 ? 0 : 1;
            to = Math.max(to - 1, from + 1);
            pairing = instances.toPairing(most, sizes.subList(from, to)::contains);
        }
        return pairing;
    }

    private boolean isTooLarge(CalibratedProblem problem, boolean explained) {
        CalibratedProblem sampled = problem.with(ConcurrencySampling.BEST_SUMMITS);
        return (explained ? Explainer.mostPoints(sampled) : sampled.mostPoints()) > maximumPoints;
    }
}
