package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.DeviceCounts;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.request.Pointers;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Speculation;
import io.throughputoptimizer.core.search.PairingRules;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Pairing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rules between a [CalibratedProblem] that was read and the request that it is of: what no layout can serve is refused
/// at the member that asks for it.
record CalibratedProblemRules(CalibratedProblem problem, OptimizationRequest request, CatalogLookup lookup) {
    /// Has the lookup refuse what is broken.
    void check() {
        requireNoPrefixOfStates();
        requirePossible();
    }

    /// A state is that of all tokens before it: no prefix can be looked up in it.
    private void requireNoPrefixOfStates() {
        if (request.workload().conversation() != null) {
            WorkloadReader.refuseKeptStates(request.workload(), problem.model(), lookup);
            return;
        }
        double hitRate = request.workload().prefixCacheHitRate();
        if (hitRate > 0 && problem.model().keepsStates()) {
            lookup.refuse(
                    "/workload/prefix_cache_hit_rate",
                    "is " + hitRate + ": recurrent states of " + problem.model().family()
                            + " are of all tokens before, and hold no prefix to share");
        }
    }

    /// Refuses what no layout can help. With several devices, one that cannot multiply in the scheme or run the
    /// model is no reason to refuse the others.
    private void requirePossible() {
        boolean alone = problem.devices().size() == 1;
        for (CalibratedDevice device : problem.devices()) {
            CalibratedDeployment whole =
                    device.deployment(problem.model(), CalibratedDeployment.layout(problem.model(), 1, 1, 1));
            problem.sizes().speculations().stream()
                    .filter(Speculation::drafting)
                    .findFirst()
                    .map(whole::with)
                    .orElse(whole)
                    .servingObstacle()
                    .filter(obstacle ->
                            alone || obstacle.part() == Part.BACKEND || obstacle.part() == Part.DRAFT_TOKENS)
                    .map(obstacle -> Pointers.inSearch(obstacle, request, device.name()))
                    .ifPresent(lookup::refuse);
        }
        Pairing instances = problem.instances();
        if (request.mode() == Mode.CAPACITY) {
            return;
        }
        if (instances == null) {
            problem.devices().stream()
                    .map(CalibratedDevice::name)
                    .map(name -> DeviceCounts.of(request, name))
                    .distinct()
                    .forEach(count -> requireLayouts(
                            problem.countOfLayouts(count), "tp * dp must divide the " + count + " devices"));
        } else {
            requireInstances(instances);
        }
    }

    private void requireInstances(Pairing instances) {
        if (!instances.isRatio()) {
            requirePairs(instances);
            return;
        }
        int needed = instances.prefillDevices() + instances.decodeDevices();
        problem.devices().stream()
                .filter(device -> !problem.holdsInstances(device))
                .map(CalibratedDevice::name)
                .collect(Collectors.toMap(
                        name -> DeviceCounts.pointer(request, name),
                        name -> DeviceCounts.of(request, name),
                        (first, _) -> first,
                        LinkedHashMap::new))
                .forEach((pointer, count) ->
                        lookup.refuse(pointer, "is " + count + ": one prefill and one decode instance take " + needed));
        Stream.of(instances.prefillDevices(), instances.decodeDevices())
                .distinct()
                .forEach(devices -> requireLayouts(
                        problem.countOfInstanceLayouts(devices),
                        "tp * dp must be the " + devices + " devices of an instance"));
    }

    /// Every size needs a layout.
    private void requirePairs(Pairing pairing) {
        List<String> names = problem.deviceNames();
        List<Objection> objections = PairingRules.objections(pairing, names, problem.available());
        objections.stream().map(Pointers::inOptimization).forEach(lookup::refuse);
        if (!objections.isEmpty()) {
            return;
        }
        pairing.sizes()
                .forEach(devices -> requireLayouts(
                        problem.countOfInstanceLayouts(devices),
                        "tp * dp must be the " + devices + " devices of an instance"));
        for (Pairing.Kinds kinds : pairing.kinds(names)) {
            requireSame("/engine/backend", requireNonNull(request.engine()).backend(), kinds);
            requireSame("/quantization/scheme", request.quantization().scheme(), kinds);
        }
    }

    /// Instances that share requests have the same cache and weights.
    private void requireSame(String pointer, @Nullable PerDevice<?> value, Pairing.Kinds kinds) {
        Object prefill = requireNonNull(value).of(kinds.prefill());
        Object decode = value.of(kinds.decode());
        if (!requireNonNull(prefill).equals(decode)) {
            lookup.refuse(
                    pointer,
                    "is " + prefill + " on " + kinds.prefill() + " and " + decode + " on " + kinds.decode()
                            + ": instances that share requests need the same");
        }
    }

    private void requireLayouts(long layouts, String rule) {
        if (layouts == 0) {
            lookup.refuse("/search", "has no valid combination of sizes: " + rule + ", and ep divide tp * dp");
        }
    }
}
