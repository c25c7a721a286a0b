package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.ObjectiveRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.api.result.BestPlanResponse.InstancesResponse;
import io.throughputoptimizer.api.result.BestPlanResponse.IntervalResponse;
import io.throughputoptimizer.api.result.BestPlanResponse.Role;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.BindingName;
import io.throughputoptimizer.api.result.figure.FigureBandsResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Best plans of results. A result gets its plan before it is stored; results of earlier versions get theirs when they
/// are sent.
public final class BestPlans {
    private static final String BOTH = " + ";

    /// First characters of a stored result that has its plan, or a summary that there is none.
    private static final List<String> COMPLETE = List.of("{\"best\":", "{\"summary\":");

    private final OptimizationRequest request;
    private final List<DeviceResponse> devices;
    private final List<CrossHardwareResponse> rankings;

    /// First members of a result.
    ///
    /// @param best absent if no plan is feasible
    private record Opening(
            @Nullable BestPlanResponse best, @Nullable String summary) {}

    /// Row of one phase on one kind of device.
    private record Place(DeviceResponse device, PhaseName phase, RowResponse row) {}

    private BestPlans(OptimizationRequest request, ResultResponse result) {
        this.request = request;
        this.devices = requireNonNullElse(result.devices(), List.of());
        this.rankings = requireNonNullElse(result.crossHardware(), List.of());
    }

    /// Returns a result with its best plan and summary.
    ///
    /// @param request effective request
    public static ResultResponse complete(OptimizationRequest request, ResultResponse result) {
        BestPlans plans = new BestPlans(request, result);
        Optional<BestPlanResponse> best = plans.best(result.capacity());
        return WireMember.copy(
                result,
                "best",
                best.orElse(null),
                "summary",
                best.map(PlanSummary::of).orElseGet(() -> plans.nothing(result.capacity())));
    }

    /// Returns a stored result with its best plan and summary in front; unchanged if it has them, if a later version
    /// wrote it, or if it cannot be read.
    ///
    /// @param request effective request as JSON
    /// @param result stored result as JSON
    public static String complete(String request, String result) {
        if (COMPLETE.stream().anyMatch(result::startsWith)) {
            return result;
        }
        try {
            return ResultResponse.read(result)
                    .map(known -> complete(WireFormat.readStored(request, OptimizationRequest.class), known))
                    .map(known -> with(new Opening(known.best(), known.summary()), result))
                    .orElse(result);
        } catch (JacksonException _) {
            // The result is sent as it is stored.
            return result;
        }
    }

    private static String with(Opening members, String result) {
        String opening = WireFormat.write(members);
        return opening.substring(0, opening.length() - 1) + "," + result.substring(result.indexOf('{') + 1);
    }

    private Optional<BestPlanResponse> best(@Nullable CapacityResponse capacity) {
        if (capacity != null) {
            return Optional.ofNullable(capacity.best()).map(this::deployment);
        }
        if (devices.stream().anyMatch(device -> device.pdRatio() != null)) {
            return leading(CrossHardwareResponse.PD_RATIO, device -> pair(device) != null)
                    .map(device -> pair(device, Objects.requireNonNull(pair(device))));
        }
        List<Optional<Place>> places = phases().stream().map(this::place).toList();
        if (places.isEmpty() || places.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        List<Place> found = places.stream().flatMap(Optional::stream).toList();
        return Optional.of(found.size() == 1 ? row(found.getFirst()) : phases(found.getFirst(), found.getLast()));
    }

    private List<PhaseName> phases() {
        return devices.stream()
                .flatMap(device -> requireNonNullElse(device.phases(), List.<PhaseResponse>of()).stream())
                .map(PhaseResponse::phase)
                .distinct()
                .toList();
    }

    private Optional<Place> place(PhaseName phase) {
        return leading(phase.wireName(), device -> row(device, phase) != null)
                .map(device -> new Place(device, phase, Objects.requireNonNull(row(device, phase))));
    }

    private static @Nullable PdRatioRowResponse pair(DeviceResponse device) {
        return device.pdRatio() == null ? null : device.pdRatio().best();
    }

    private static @Nullable RowResponse row(DeviceResponse device, PhaseName phase) {
        return requireNonNullElse(device.phases(), List.<PhaseResponse>of()).stream()
                .filter(found -> found.phase() == phase)
                .findFirst()
                .map(PhaseResponse::best)
                .orElse(null);
    }

    /// Returns the first device of a ranking; without rankings the first that has a row.
    private Optional<DeviceResponse> leading(String ranking, Predicate<DeviceResponse> hasBest) {
        Optional<String> first = rankings.stream()
                .filter(ranked -> ranked.phase().equals(ranking))
                .flatMap(ranked -> requireNonNullElse(ranked.rows(), List.<RankedResponse>of()).stream())
                .findFirst()
                .map(RankedResponse::device);
        return devices.stream()
                .filter(hasBest)
                .filter(device -> first.isEmpty() || first.get().equals(device.device()))
                .findFirst();
    }

    private BestPlanResponse row(Place place) {
        RowResponse row = place.row;
        boolean prefill = place.phase == PhaseName.PREFILL;
        FigureBandsResponse bands = row.bands();
        return plan(
                List.of(instances(place, null, null)),
                row.concurrency(),
                new Latencies(row.ttftMs(), ttft(bands), row.tpotMs(), tpot(bands)),
                new Rates(
                        prefill ? null : row.tokensPerS(),
                        prefill || bands == null ? null : bands.tokensPerSBand(),
                        requests(place),
                        bands == null ? null : bands.requestsPerSBand()),
                null,
                requireNonNullElse(row.limitedBy(), List.of()),
                row.told());
    }

    /// Returns the best of two phases that were searched independently.
    private BestPlanResponse phases(Place prefill, Place decode) {
        return plan(
                Stream.of(prefill, decode)
                        .map(place -> instances(place, place.row.concurrency(), place.row.requestsPerS()))
                        .toList(),
                null,
                new Latencies(
                        prefill.row.ttftMs(), ttft(prefill.row.bands()), decode.row.tpotMs(), tpot(decode.row.bands())),
                Rates.NONE,
                null,
                union(prefill.row.limitedBy(), decode.row.limitedBy()),
                union(prefill.row.told(), decode.row.told()));
    }

    private InstancesResponse instances(Place place, @Nullable Long concurrency, @Nullable Double requests) {
        RowResponse row = place.row;
        Integer replicas = row.steady() == null ? null : row.steady().replicas();
        return new InstancesResponse(
                role(place.phase),
                place.device.device(),
                replicas == null ? 1 : (long) replicas,
                row.parallel().numDevices(),
                row.parallel(),
                row.batchSize(),
                maxNumSeqs(place.device.engine()),
                budget(place.phase, row, place.device.engine()),
                concurrency,
                requests);
    }

    private BestPlanResponse pair(DeviceResponse found, PdRatioRowResponse row) {
        SteadyPairResponse load = row.load();
        PairKindsResponse kinds = row.kinds();
        String prefill = kinds == null ? found.device() : requireNonNullElse(kinds.prefillDevice(), found.device());
        String decode = kinds == null ? found.device() : requireNonNullElse(kinds.decodeDevice(), found.device());
        EngineRequest engine = found.engine();
        Double running = row.steady() == null ? null : row.steady().running();
        FigureBandsResponse bands = row.bands();
        Double requests = load == null || load.requestsPerS() == null ? counted(row) : load.requestsPerS();
        Double outputs = outputTokens(null);
        Double tokens = load == null || load.tokensPerS() == null
                ? requests == null || outputs == null ? null : (Double) (requests * outputs)
                : load.tokensPerS();
        return plan(
                List.of(
                        side(
                                Role.PREFILL,
                                prefill,
                                row.prefillInstances(),
                                row.prefillParallel(),
                                engine == null ? row.prefillBatchSize() : (Long) 1L,
                                engine),
                        side(
                                Role.DECODE,
                                decode,
                                row.decodeInstances(),
                                row.decodeParallel(),
                                running == null ? row.decodeBatchSize() : (Long) (long) Math.ceil(running),
                                prefill.equals(decode) ? engine : null)),
                load == null || load.concurrency() == null ? inFlight(row) : load.concurrency(),
                new Latencies(
                        load == null ? null : load.ttftMs(),
                        ttft(bands),
                        load == null ? null : load.tpotMs(),
                        tpot(bands)),
                new Rates(
                        tokens,
                        bands == null ? null : bands.tokensPerSBand(),
                        requests,
                        bands == null ? null : bands.requestsPerSBand()),
                null,
                row.limitedBy() == null ? union(row.limitedByPrefill(), row.limitedByDecode()) : row.limitedBy(),
                requireNonNullElse(row.warnings(), List.of()));
    }

    private InstancesResponse side(
            Role role,
            String device,
            @Nullable Integer count,
            ParallelResponse parallel,
            @Nullable Long batchSize,
            @Nullable EngineRequest engine) {
        return new InstancesResponse(
                role,
                device,
                count == null ? null : (Long) (long) count,
                parallel.numDevices(),
                parallel,
                batchSize,
                maxNumSeqs(engine),
                engine == null ? role == Role.DECODE ? null : soleBudget() : engine.maxBatchedTokens(),
                null,
                null);
    }

    /// Returns the token budget that the request gives all analytic layouts; null if it gives several.
    private @Nullable Integer soleBudget() {
        List<Integer> budgets = request.isCalibrated() ? null : request.search().maxBatchedTokens();
        return budgets == null || budgets.size() != 1 ? null : budgets.getFirst();
    }

    /// Returns the requests per second of an analytic pair: the lesser of both sides, by the rates that its ratio
    /// uses.
    private @Nullable Double counted(PdRatioRowResponse row) {
        Double prefill = request.isDocumented() ? row.prefillRequestsPerS() : row.prefillSustainedRequestsPerS();
        Double decode = request.isDocumented() ? row.decodeRequestsPerS() : row.decodeSustainedRequestsPerS();
        Integer prefills = row.prefillInstances();
        Integer decodes = row.decodeInstances();
        return prefill == null || decode == null || prefills == null || decodes == null
                ? null
                : (Double) Math.min(prefills * prefill, decodes * decode);
    }

    /// Returns the requests of an analytic pair that all instances process.
    private static @Nullable Long inFlight(PdRatioRowResponse row) {
        Integer prefills = row.prefillInstances();
        Integer decodes = row.decodeInstances();
        Long prefill = row.prefillConcurrency();
        Long decode = row.decodeConcurrency();
        return prefills == null || decodes == null || prefill == null || decode == null
                ? null
                : (Long) (prefills * prefill + decodes * decode);
    }

    private BestPlanResponse deployment(DeploymentResponse row) {
        EngineRequest engine = devices.stream()
                .filter(device -> device.device().equals(row.device()))
                .findFirst()
                .map(DeviceResponse::engine)
                .orElse(null);
        List<GroupResponse> groups = row.instances();
        RowResponse first = groups.getFirst().load();
        RowResponse last = groups.getLast().load();
        return plan(
                groups.stream()
                        .map(group -> new InstancesResponse(
                                role(group.phase()),
                                row.device(),
                                group.count(),
                                group.devicesPerInstance(),
                                group.load().parallel(),
                                group.load().batchSize(),
                                maxNumSeqs(engine),
                                budget(group.phase(), group.load(), engine),
                                null,
                                null))
                        .toList(),
                inFlight(groups),
                new Latencies(
                        row.ttftMs(),
                        Objects.equals(first.ttftMs(), row.ttftMs()) ? ttft(first.bands()) : null,
                        row.tpotMs(),
                        Objects.equals(last.tpotMs(), row.tpotMs()) ? tpot(last.bands()) : null),
                new Rates(row.tokensPerS(), null, row.requestsPerS(), null),
                row.costPerHour(),
                groups.size() == 1
                        ? requireNonNullElse(first.limitedBy(), List.of())
                        : union(first.limitedBy(), last.limitedBy()),
                Stream.concat(
                                requireNonNullElse(row.warnings(), List.<String>of()).stream(),
                                groups.stream().flatMap(group -> group.load().told().stream()))
                        .distinct()
                        .toList());
    }

    /// Returns the requests in flight at the demand. All requests of calibrated pairs count as those of decode.
    private long inFlight(List<GroupResponse> groups) {
        DemandRequest demand = request.demand();
        return demand != null && demand.concurrency() != null
                ? demand.concurrency()
                : groups.stream()
                        .skip(request.isCalibrated() ? groups.size() - 1L : 0)
                        .mapToLong(group -> group.count() * group.load().concurrency())
                        .sum();
    }

    /// Latencies of a deployment with their bands.
    private record Latencies(
            @Nullable Double ttft,
            @Nullable BandResponse ttftBand,
            @Nullable Double tpot,
            @Nullable BandResponse tpotBand) {}

    /// Throughput of a deployment with its bands.
    private record Rates(
            @Nullable Double tokens,
            @Nullable BandResponse tokensBand,
            @Nullable Double requests,
            @Nullable BandResponse requestsBand) {
        static final Rates NONE = new Rates(null, null, null, null);
    }

    private BestPlanResponse plan(
            List<InstancesResponse> instances,
            @Nullable Long concurrency,
            Latencies latencies,
            Rates rates,
            @Nullable Double cost,
            List<BindingName> limits,
            List<String> warnings) {
        List<Long> counts = instances.stream()
                .flatMap(group -> Stream.ofNullable(group.devices()))
                .toList();
        Double price = cost == null ? price(instances) : cost;
        ObjectiveRequest objective = request.objective();
        return new BestPlanResponse(
                String.join(
                        BOTH,
                        instances.stream()
                                .map(InstancesResponse::device)
                                .distinct()
                                .toList()),
                request.mode(),
                PlanSummary.deployment(instances),
                instances,
                counts.size() < instances.size()
                        ? null
                        : (Long) counts.stream().mapToLong(Long::longValue).sum(),
                concurrency,
                latencies.ttft,
                latencies.ttft == null ? null : request.slo().ttftBasis(),
                IntervalResponse.of(latencies.ttftBand),
                latencies.tpot,
                IntervalResponse.of(latencies.tpotBand),
                rates.tokens,
                IntervalResponse.of(rates.tokensBand),
                rates.requests,
                IntervalResponse.of(rates.requestsBand),
                price,
                price == null || objective == null ? null : objective.currency(),
                limits,
                warnings);
    }

    private @Nullable Double price(List<InstancesResponse> instances) {
        ObjectiveRequest objective = request.objective();
        if (objective == null || objective.pricePerDeviceHour() == null) {
            return null;
        }
        double sum = 0;
        for (InstancesResponse group : instances) {
            Double each = objective.pricePerDeviceHour().of(group.device());
            Long count = group.devices();
            if (each == null || count == null) {
                return null;
            }
            sum += each * count;
        }
        return sum;
    }

    /// Returns the requests per second of a row. Rows of aggregation by the analytic model have tokens only.
    private @Nullable Double requests(Place place) {
        Double known = place.row.requestsPerS();
        Double outputs = known == null ? outputTokens(place.row.outputLength()) : null;
        return outputs == null ? known : (Double) (place.row.tokensPerS() / outputs);
    }

    /// Returns the mean output tokens of a request; null for distributions of the catalog.
    private @Nullable Double outputTokens(@Nullable Integer ofRow) {
        if (ofRow != null) {
            return (double) ofRow;
        }
        WorkloadRequest workload = request.workload();
        Integer same = workload.conversation() == null
                ? workload.outputLength()
                : workload.conversation().generatedTokens();
        if (same != null) {
            return (double) same;
        }
        return workload.outputDistribution() == null
                ? null
                : workload.outputDistribution()
                        .extent(Map.of())
                        .map(lengths -> lengths.mean())
                        .orElse(null);
    }

    private static @Nullable BandResponse ttft(@Nullable FigureBandsResponse bands) {
        return bands == null ? null : bands.ttftMsBand();
    }

    private static @Nullable BandResponse tpot(@Nullable FigureBandsResponse bands) {
        return bands == null ? null : bands.tpotMsBand();
    }

    private static @Nullable Integer maxNumSeqs(@Nullable EngineRequest engine) {
        return engine == null ? null : engine.maxNumSeqs();
    }

    /// Returns the token budget of a step. Analytic decode has none.
    private static @Nullable Integer budget(PhaseName phase, RowResponse row, @Nullable EngineRequest engine) {
        return phase == PhaseName.DECODE && engine == null ? null : (Integer) row.maxBatchedTokens();
    }

    private static Role role(PhaseName phase) {
        return switch (phase) {
            case AGGREGATION -> Role.SERVE;
            case PREFILL -> Role.PREFILL;
            case DECODE -> Role.DECODE;
        };
    }

    private static <T> List<T> union(@Nullable List<T> some, @Nullable List<T> others) {
        Stream<T> first = some == null ? Stream.empty() : some.stream();
        Stream<T> second = others == null ? Stream.empty() : others.stream();
        return Stream.concat(first, second).distinct().toList();
    }

    /// Returns the summary of a result without a feasible plan.
    private String nothing(@Nullable CapacityResponse capacity) {
        String available = String.join(
                " or ",
                devices.stream()
                        .map(device -> device.numDevices() + " " + device.device())
                        .distinct()
                        .toList());
        if (capacity != null) {
            return available + " cannot serve the demand; `capacity.shortfalls` says how much they can serve.";
        }
        List<PhaseName> phases = phases();
        String which = request.mode() == Mode.PD_RATIO
                ? "pair of prefill and decode layouts"
                : phases.stream()
                        .filter(phase -> phase != PhaseName.AGGREGATION)
                        .filter(phase -> place(phase).isEmpty())
                        .findFirst()
                        .map(phase -> phase.wireName() + " layout")
                        .orElse("layout");
        return "No " + which + " on " + available
                + " is feasible; `rejected` lists the constraint that each layout violates.";
    }
}
