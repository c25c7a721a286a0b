package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.CostModelChoice;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.DeviceCounts;
import io.throughputoptimizer.api.request.FeedbackReader;
import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.PdRatioRequest;
import io.throughputoptimizer.api.request.Pointers;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.core.capacity.CapacityProblem;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.LayoutAxis;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Turns an [OptimizationRequest] that keeps the rules on its records into an [OptimizationProblem].
public final class ProblemReader {
    private final Catalogs catalogs;
    private final CalibratedProblemReader measured;
    private final CostModelResolver costModels;
    private final long maximumPoints;

    /// @param maximumPoints largest upper bound of points of a new search
    public ProblemReader(Catalogs catalogs, long maximumPoints) {
        this.catalogs = catalogs;
        this.costModels = new CostModelResolver(catalogs);
        this.measured = new CalibratedProblemReader(catalogs, maximumPoints);
        this.maximumPoints = maximumPoints;
    }

    /// Returns a new request with catalog names of its devices and a chosen cost model, before its rules are checked.
    ///
    /// @param given pointers of the fields that the body sets, to the second level
    /// @throws InvalidRequestException if `devices` and `num_devices` have different counts
    public OptimizationRequest resolved(OptimizationRequest request, Set<String> given) {
        return costModels.resolved(named(request), given);
    }

    /// Returns the reason for the cost model of a job, or null if the body states the cost model.
    ///
    /// @param body body of the job
    /// @param given likewise
    public @Nullable String costModelReason(
            OptimizationRequest effective, OptimizationRequest body, ExplicitFields given) {
        if (effective.costModel() == CostModelChoice.AUTO) { // a job of an earlier version
            return null;
        }
        if (body.costModel() != CostModelChoice.AUTO) {
            return null;
        }
        Map<String, @Nullable Object> config = effective.modelConfig();
        CostModelResolver.Choice choice =
                costModels.choose(named(config == null ? body : body.withModelConfig(config)), given.pointers());
        return (choice.costModel() == CostModelName.CALIBRATED) == effective.isCalibrated() ? choice.text() : null;
    }

    /// A request that can be searched.
    ///
    /// @param effective request with all defaults filled in
    /// @param problem question of the request
    public record Accepted(OptimizationRequest effective, SearchQuestion problem) {}

    /// Judges a new request.
    ///
    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public Accepted accept(OptimizationRequest request) {
        return accept(request, MeasurementSets.NONE);
    }

    private OptimizationRequest named(OptimizationRequest request) {
        return new DeviceNames(catalogs.devices()).of(request);
    }

    /// Returns any request under the names that the catalog has for its devices.
    public <T extends Record> T named(T request) {
        return new DeviceNames(catalogs.devices()).withNames(request);
    }

    /// Judges a new request that may name stored sets.
    ///
    /// @param sets stored sets of the caller
    /// @throws InvalidRequestException likewise
    public Accepted accept(OptimizationRequest asked, MeasurementSets sets) {
        return accepted(FeedbackReader.of(asked)
                .map(feedback -> feedback.completed(sets))
                .orElse(asked));
    }

    private Accepted accepted(OptimizationRequest request) {
        Read asked = understood(request);
        Read whole = withModel(request).map(this::understood).orElse(asked);
        checkSize(whole.question.mostPoints(), request.explained());
        return new Accepted(whole.effective, whole.question);
    }

    /// A request and what it asks.
    ///
    /// @param effective request with all defaults filled in
    private record Read(OptimizationRequest effective, SearchQuestion question) {}

    /// The request with the configuration of its model, which is in none of the catalogue's files: a job does not look
    /// for it again. Empty for other models.
    private Optional<OptimizationRequest> withModel(OptimizationRequest request) {
        String id = request.modelId();
        return id == null
                        || request.modelConfig() != null
                        || catalogs.models().find(id).isPresent()
                ? Optional.empty()
                : catalogs.elsewhere().config(id).map(request::withModelConfig);
    }

    /// Returns the question of a request, by its cost model.
    ///
    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public SearchQuestion question(OptimizationRequest request) {
        return understood(request).question;
    }

    private Read understood(OptimizationRequest request) {
        if (request.isCalibrated()) {
            SearchQuestion question = measured.question(request).within(maximumPoints);
            return new Read(
                    request.resolved(
                            measured.engine(request, question),
                            question instanceof SearchQuestion.Calibrated(var problem, var _, var _)
                                    ? problem.instances()
                                    : null),
                    question);
        }
        Parts parts = parts(request);
        boolean ofCheckpoint = request.quantization().isOfCheckpoint();
        SearchQuestion question = request.mode() == Mode.CAPACITY
                ? new SearchQuestion.Capacity(capacity(request, parts), ofCheckpoint)
                : new SearchQuestion.Analytic(
                        problem(request, parts),
                        request.explained(),
                        ofCheckpoint,
                        request.deviceProfiles().isEmpty() ? others() : List.of());
        boolean budgetGiven = request.search().maxBatchedTokens() != null;
        return new Read(
                request.resolved(
                        budgetGiven ? null : onlyTokenBudget(request.accounting(), parts.demand.workload()),
                        parts.quantization,
                        parts.search.instances()),
                question);
    }

    /// Returns the devices that an explanation can advise: those without caveats.
    private List<DeviceProfile> others() {
        return catalogs.devices().all().stream()
                .filter(device -> device.caveats().isEmpty())
                .toList();
    }

    /// Returns the caveats on figures of a request's devices, by device name.
    ///
    /// @throws InvalidRequestException if it names or brings along a device that cannot be used
    public Map<String, List<String>> caveats(OptimizationRequest request) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        List<DeviceProfile> devices = devices(request, lookup);
        lookup.throwIfAny();
        return devices.stream()
                .collect(Collectors.toMap(DeviceProfile::name, DeviceProfile::caveats, (first, _) -> first));
    }

    /// The budget of an accounting that tries one only; absent when it chooses among several on the way.
    private static @Nullable Integer onlyTokenBudget(Accounting accounting, Workload workload) {
        List<Integer> budgets = accounting.tokenBudgets(workload);
        return budgets.size() == 1 ? budgets.getFirst() : null;
    }

    private void checkSize(long points, boolean explained) {
        if (points > maximumPoints) {
            throw new InvalidRequestException(
                    "/search",
                    "may have to try " + points + " batch sizes on all layouts: at most " + maximumPoints
                            + " are allowed; narrow batch_range, the parallel sizes or devices"
                            + (explained ? ", or ask without explain" : ""));
        }
    }

    /// The parts of a request.
    ///
    /// @param quantization requested quantization, with the checkpoint's values filled in
    private record Parts(
            QuantizationRequest quantization,
            ModelArchitecture model,
            List<DeviceProfile> devices,
            OptimizationProblem.Demand demand,
            OptimizationProblem.Serving serving,
            OptimizationProblem.Search search) {}

    private static CapacityProblem capacity(OptimizationRequest request, Parts parts) {
        return sound(() -> new CapacityProblem(
                        parts.model,
                        parts.devices,
                        DeviceCounts.available(request),
                        requireNonNullElse(request.instanceSizes(), List.of()),
                        requireNonNull(request.demand())
                                .toRequirement(
                                        requireNonNull(request.headroom()),
                                        parts.demand.workload().outputs().mean()),
                        parts.demand,
                        parts.serving,
                        parts.search,
                        KvTransferRequest.toTransfer(request.kvTransfer()))
                .checked());
    }

    /// @throws InvalidRequestException if the request names or brings along what cannot be used
    public OptimizationProblem read(OptimizationRequest request) {
        return problem(request, parts(request));
    }

    private static OptimizationProblem problem(OptimizationRequest request, Parts parts) {
        return sound(() -> new OptimizationProblem(
                parts.model,
                parts.devices,
                DeviceCounts.available(request),
                parts.demand,
                parts.serving,
                parts.search,
                request.dumpOriginalResults()));
    }

    static <T> T sound(Supplier<T> problem) {
        try {
            return problem.get();
        } catch (InvalidProblemException e) {
            throw new InvalidRequestException(
                    e.objections().stream().map(Pointers::inOptimization).toList());
        }
    }

    private Parts parts(OptimizationRequest request) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        Optional<ModelArchitecture> model = lookup.model(request.modelId(), request.modelConfig());
        List<DeviceProfile> devices = devices(request, lookup);
        Optional<Workload> workload = WorkloadReader.read(request.workload(), lookup);
        lookup.throwIfAny();
        lookup.refuseOverlooked(request.workload().image(), model.orElseThrow(), "/workload/image");
        WorkloadReader.refuseKeptStates(request.workload(), model.orElseThrow(), lookup);
        QuantizationRequest quantization = request.quantization().filledIn(model.orElseThrow(), lookup);
        lookup.throwIfAny();
        return new Parts(
                quantization,
                model.orElseThrow(),
                devices,
                new OptimizationProblem.Demand(
                        workload.orElseThrow(),
                        request.slo().toLimits(),
                        request.goesBeyondContext(),
                        request.ranking()),
                requireNonNull(request.serving()).toServing(),
                search(request, quantization, model.orElseThrow()));
    }

    static List<DeviceProfile> devices(OptimizationRequest request, CatalogLookup lookup) {
        Map<String, DeviceProfile> inline = inlineDevices(request, lookup);
        List<DeviceProfile> devices = new ArrayList<>();
        for (int index = 0; index < request.devices().size(); index++) {
            String name = request.devices().get(index);
            String pointer = "/devices/" + index;
            if (request.devices().indexOf(name) < index) {
                continue;
            }
            Optional.ofNullable(inline.get(name))
                    .or(() -> lookup.device(pointer, name))
                    .ifPresent(devices::add);
        }
        return devices;
    }

    private static Map<String, DeviceProfile> inlineDevices(OptimizationRequest request, CatalogLookup lookup) {
        Map<String, DeviceProfile> inline = new LinkedHashMap<>();
        List<DeviceDocument> documents = request.deviceProfiles();
        for (int index = 0; index < documents.size(); index++) {
            String pointer = "/device_profiles/" + index;
            lookup.inlineDevice(pointer, documents.get(index)).ifPresent(device -> {
                if (!request.devices().contains(device.name())) {
                    lookup.refuse(pointer + "/name", "must be one of devices, got " + device.name());
                }
                if (inline.put(device.name(), device) != null) {
                    lookup.refuse(pointer + "/name", "must be unique, got " + device.name() + " twice");
                }
            });
        }
        return inline;
    }

    private static OptimizationProblem.Axes axes(OptimizationRequest request, QuantizationRequest quantization) {
        List<Integer> budgets = request.search().maxBatchedTokens();
        return new OptimizationProblem.Axes(
                request.search().parallelSizes(),
                new DraftTokenAxis(requireNonNull(request.serving()).numMtpTokens()),
                budgets == null ? TokenBudgetAxis.CHOSEN : new TokenBudgetAxis(budgets),
                quantization.toAxis());
    }

    private static OptimizationProblem.Search search(
            OptimizationRequest request, QuantizationRequest quantization, ModelArchitecture model) {
        PdRatioRequest instances = request.pdRatio();
        ParallelSizes sizes = request.search().parallelSizes();
        return new OptimizationProblem.Search(
                request.mode().mode(),
                request.accounting(),
                axes(request, quantization),
                request.search().batchPlan(),
                instances == null
                        ? null
                        : instances.toPairing(
                                DeviceCounts.most(request),
                                devices -> LayoutAxis.of(model, sizes, devices)
                                        .objections()
                                        .isEmpty()));
    }
}
