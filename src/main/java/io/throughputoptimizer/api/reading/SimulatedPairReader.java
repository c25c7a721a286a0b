package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.CalibratedDeploymentReader.Deployed;
import io.throughputoptimizer.api.request.KvTransferRequest;
import io.throughputoptimizer.api.request.SimulatedPairRequest;
import io.throughputoptimizer.api.request.SimulatedPairRequest.Instance;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.RequestBytes;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.SimulatedPair;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/// Turns the pair of a [SimulationRequest] that keeps the rules on its records into what is simulated.
final class SimulatedPairReader {
    private final Catalogs catalogs;
    private final SimulationRequest request;
    private final SimulatedPairRequest pair;
    private final List<Violation> broken = new ArrayList<>();

    SimulatedPairReader(Catalogs catalogs, SimulationRequest request) {
        this.catalogs = catalogs;
        this.request = request;
        this.pair = requireNonNull(request.pair());
    }

    /// Instances of both sides.
    ///
    /// @param prefill prefill instances
    /// @param decode decode instances
    record Sides(Deployed prefill, Deployed decode) {}

    /// @throws InvalidRequestException if the request names or brings along what cannot be used, of both sides at once
    Sides read() {
        List<Deployed> read = new ArrayList<>();
        List<String> places = List.of("/pair/prefill", "/pair/decode");
        List<Instance> sides = request.sides().toList();
        for (int side = 0; side < sides.size(); side++) {
            try {
                Deployed deployed = new CalibratedDeploymentReader(catalogs).read(sides.get(side));
                deployed.requireMemory();
                read.add(deployed);
            } catch (InvalidRequestException refused) {
                for (Violation one : refused.violations()) {
                    broken.add(isOfSide(one.pointer(), sides.get(side)) ? one.under(places.get(side)) : one);
                }
            }
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
        return new Sides(read.getFirst(), read.getLast());
    }

    private static boolean isOfSide(String pointer, Instance instance) {
        return pointer.startsWith("/parallel")
                || (pointer.equals("/device") && instance.side().device() != null);
    }

    /// @param concurrency requests outstanding in a closed loop
    SimulatedPair pair(Sides sides, Traffic traffic, int concurrency) {
        List<Instance> instances = request.sides().toList();
        return new SimulatedPair(
                side(instances.getFirst(), sides.prefill, Phase.PREFILL, traffic),
                side(instances.getLast(), sides.decode, Phase.DECODE, traffic),
                transferMillis(sides),
                traffic,
                concurrency,
                request.traffic().basis());
    }

    private static SimulatedPair.Side side(Instance instance, Deployed deployed, Phase phase, Traffic traffic) {
        return new SimulatedPair.Side(
                instance.device(),
                deployed.deployment(),
                deployed.limits().of(deployed.deployment(), phase, traffic.lengths()),
                instance.side().instances());
    }

    /// The cache of a prompt as decode keeps it, one copy of it, as pairs of searches count it.
    private IntToDoubleFunction transferMillis(Sides sides) {
        KvTransferLink transfer = KvTransferRequest.toTransfer(pair.kvTransfer());
        if (transfer == null) {
            return _ -> 0;
        }
        RequestBytes bytes = CalibratedMemory.handedOver(sides.decode.deployment());
        return tokens -> transfer.of(bytes.of(tokens)).millis();
    }

    /// A prompt must fit a prefill rank, and a request a decode rank.
    void requireRoom(SimulatedPair read) {
        if (read.promptCapacity() < 1) {
            refuse(
                    "/pair/prefill/parallel",
                    read.prefill(),
                    "a prompt",
                    read.traffic().mean().cachedPrompt(read.prefill().limits().use()));
        }
        if (read.capacity() < 1) {
            refuse(
                    "/pair/decode/parallel",
                    read.decode(),
                    "one request",
                    read.traffic().mean().cached(read.decode().limits().use()));
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
    }

    private void refuse(String pointer, SimulatedPair.Side side, String what, double tokens) {
        broken.add(
                new Violation(pointer, SimulationReader.leavesRoom(side.limits().cacheTokens(), what, tokens)));
    }
}
