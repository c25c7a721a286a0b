package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.CalibratedDeploymentReader.Deployed;
import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.RecordedRequestsRequest;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.load.PrefixCacheRetention;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.replica.SimulatedDeployment;
import io.throughputoptimizer.core.replica.SimulatedPair;
import io.throughputoptimizer.core.replica.SimulatedReplicas;
import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Turns a [SimulationRequest] that keeps the rules on its records into a simulation that ends.
public final class SimulationReader {
    /// Some seconds of work.
    private static final double MOST_STEPS = 2_000_000;

    private static final MathContext SHOWN = new MathContext(4, RoundingMode.FLOOR);

    private final Catalogs catalogs;

    public SimulationReader(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// @param engine engine with the backend's defaults filled in
    /// @param percentiles to report in addition to the default ones
    public record Simulation(
            SimulatedDeployment simulated, EngineRequest engine, Coverage coverage, List<Double> percentiles) {}

    /// Returns a request under the names that the catalog has for its devices.
    public SimulationRequest named(SimulationRequest request) {
        return new DeviceNames(catalogs.devices()).withNames(request);
    }

    /// @throws InvalidRequestException if the request names what cannot be used, or asks for what cannot be served
    public Simulation read(SimulationRequest request) {
        return request.pair() == null ? replicas(request) : pair(request);
    }

    private Simulation replicas(SimulationRequest request) {
        Deployed deployed = new CalibratedDeploymentReader(catalogs).read(request);
        RequestLengths lengths = checkedLengths(request, deployed);
        deployed.requireMemory();
        SimulatedReplicas replicas = new SimulatedReplicas(
                deployed.deployment(),
                deployed.limits().of(deployed.deployment(), Phase.AGGREGATION, lengths),
                (int) (request.allDevices() / request.replicaDevices()),
                request.traffic().toTraffic(lengths),
                (int) (concurrency(request) / request.ranks()),
                request.traffic().basis());
        requireRoom(replicas);
        return checked(request, replicas, deployed);
    }

    private Simulation pair(SimulationRequest request) {
        SimulatedPairReader reader = new SimulatedPairReader(catalogs, request);
        SimulatedPairReader.Sides sides = reader.read();
        SimulatedPair pair = reader.pair(
                sides, request.traffic().toTraffic(checkedLengths(request, sides.decode())), concurrency(request));
        reader.requireRoom(pair);
        return checked(request, pair, sides.decode());
    }

    private RequestLengths checkedLengths(SimulationRequest request, Deployed deployed) {
        CatalogLookup lookup = new CatalogLookup(catalogs);
        RequestLengths lengths = lengths(request, lookup);
        new ContextRules(deployed.deployment().model(), request.goesBeyondContext(), lookup)
                .check(request.workload(), lengths);
        WorkloadReader.refuseKeptStates(
                request.workload(), deployed.deployment().model(), lookup);
        lookup.throwIfAny();
        return lengths;
    }

    private static int concurrency(SimulationRequest request) {
        return requireNonNullElse(request.traffic().concurrency(), 0);
    }

    private static Simulation checked(SimulationRequest request, SimulatedDeployment simulated, Deployed deployed) {
        requireUnsaturated(simulated);
        requireFewSteps(simulated);
        return new Simulation(
                simulated,
                deployed.engine(),
                deployed.coverage(),
                request.percentiles().stream().distinct().sorted().toList());
    }

    private static RequestLengths lengths(SimulationRequest request, CatalogLookup lookup) {
        RecordedRequestsRequest recorded = request.workload().requests();
        if (recorded != null) {
            return recorded.toLengths();
        }
        if (request.workload().conversation() != null) {
            Conversation turns = request.workload().conversation().toConversation();
            if (turns.turns() > 1 || turns.shared() > 0 || turns.thinkMillis() > 0) {
                return new TurnLengths(turns, PrefixCacheRetention.PROMPT_AND_ANSWER);
            }
        }
        Optional<Workload> workload = WorkloadReader.read(request.workload(), lookup);
        lookup.throwIfAny();
        return RequestLengths.of(workload.orElseThrow(), request.traffic().randomRangeRatio());
    }

    private static void requireRoom(SimulatedReplicas replicas) {
        if (replicas.capacity() < 1) {
            refuse(
                    "/parallel",
                    leavesRoom(
                            replicas.limits().cacheTokens(),
                            "one request",
                            replicas.traffic().mean().cached(replicas.limits().use())));
        }
    }

    /// Describes a layout whose ranks hold too few tokens.
    ///
    /// @param cacheTokens tokens of KV cache that a rank holds
    /// @param what the part that does not fit
    /// @param tokens tokens that the part takes
    static String leavesRoom(double cacheTokens, String what, double tokens) {
        return "leaves room for " + whole(Math.max(0, cacheTokens)) + " tokens in the KV cache of a rank, and " + what
                + " takes " + whole(tokens)
                + ": a larger tp, or a scheme or cache with fewer bits, is needed";
    }

    private static void requireUnsaturated(SimulatedDeployment simulated) {
        Traffic.Rate rate = simulated.traffic().rate();
        if (rate != null && rate.perSecond() > simulated.highestRatePerSecond()) {
            refuse(
                    "/traffic/request_rate",
                    "is " + rate.perSecond() + ": the deployment is saturated above "
                            + new BigDecimal(simulated.highestRatePerSecond())
                                    .round(SHOWN)
                                    .toPlainString()
                            + " requests per second, and its queue grows for ever");
        }
    }

    private static void requireFewSteps(SimulatedDeployment simulated) {
        if (simulated.mostSteps() > MOST_STEPS) {
            refuse(
                    "/traffic",
                    "takes up to " + whole(simulated.mostSteps()) + " steps: at most " + whole(MOST_STEPS)
                            + " are simulated; fewer requests, or a larger engine.max_batched_tokens, would do");
        }
    }

    private static String whole(double number) {
        return String.format(Locale.ROOT, "%.0f", number);
    }

    private static void refuse(String pointer, String message) {
        throw new InvalidRequestException(pointer, message);
    }
}
