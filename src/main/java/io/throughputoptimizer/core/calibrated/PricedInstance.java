package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedResult.MemoryShortage;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.RequestBytes;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A calibrated instance that can be priced.
///
/// @param device name of the kind of device
/// @param limits limits of each rank
/// @param learnt corrections of its figures; absent for uncorrected figures
public record PricedInstance(
        String device,
        CalibratedDeployment deployment,
        CalibratedPass pass,
        CalibratedRank.Limits limits,
        @Nullable CalibrationPosterior learnt) {

    /// Returns the instances of one phase on the only device of a problem that can run and be priced; decode
    /// instances with each speculation.
    ///
    /// @param checkpoint called before each is priced; may cancel the work by an exception
    public static List<PricedInstance> all(CalibratedProblem problem, int devices, Phase phase, Runnable checkpoint) {
        return all(problem, problem.devices().getFirst(), devices, phase, checkpoint);
    }

    /// Returns the instances of one phase on one of the problem's devices.
    static List<PricedInstance> all(
            CalibratedProblem problem, CalibratedDevice device, int devices, Phase phase, Runnable checkpoint) {
        return problem.instancesApart(device, devices, phase).stream()
                .peek(_ -> checkpoint.run())
                .filter(deployment -> deployment.servingObstacle().isEmpty())
                .map(deployment -> of(deployment, device, phase, problem.terms()))
                .toList();
    }

    /// Returns a priced instance.
    ///
    /// @throws IllegalArgumentException if the deployment is not supported
    static PricedInstance of(CalibratedDeployment deployment, CalibratedDevice device, Phase phase, SteadyTerms terms) {
        return new PricedInstance(
                device.name(),
                deployment,
                CalibratedPass.of(deployment),
                device.limits(deployment, phase, terms.traffic().lengths(), terms.batches()),
                device.correction());
    }

    /// Returns the lack of memory for a single prompt on a prefill rank; the law checks the memory of decode
    /// only.
    public Optional<Breach> lackOfRoomForAPrompt(MeanRequest request) {
        double needed = request.cachedPrompt(limits.use());
        double room = limits.cacheTokens();
        return room >= needed ? Optional.empty() : Optional.of(new Breach(Limit.KV_TOKENS, needed, room));
    }

    /// Returns the memory that a rank lacks; empty if the first exceeded limit is another.
    public Optional<MemoryShortage> shortage(List<Breach> breaches) {
        return MemoryShortage.of(limits, breaches.getFirst());
    }

    /// Returns the time of one prompt without waiting.
    public double promptMillis(MeanRequest request) {
        return request.prompts(rank().step()::prefill).millis();
    }

    /// Returns the KV transfer of a request to this decode instance: the cache of its prompt on one device,
    /// since one copy moves.
    ///
    /// @param transfer link between prefill and decode; absent if a transfer takes no time
    public @Nullable Handover handover(@Nullable KvTransferLink transfer, SteadyTerms terms) {
        if (transfer == null) {
            return null;
        }
        RequestBytes bytes = CalibratedMemory.handedOver(deployment);
        return transfer.of(terms.request().cachedPrompt(bytes::of));
    }

    /// Returns the requests that fill the KV cache of a rank; infinite if the cache is unlimited.
    ///
    /// @param tokens cached tokens of a request
    public double heldRequests(double tokens) {
        return limits.cacheTokens() / tokens;
    }

    /// Returns a copy with an unlimited KV cache.
    public PricedInstance withoutCacheLimit() {
        return new PricedInstance(
                device,
                deployment,
                pass,
                new CalibratedRank.Limits(
                        Double.POSITIVE_INFINITY, limits.maxRunning(), limits.pollInterval(), CacheUse.TOKENS, null),
                learnt);
    }

    public ParallelLayout layout() {
        return deployment.layout();
    }

    /// Returns the maximum sequences per rank: `max_num_seqs` of the request, else the engine's own limit.
    int maxSequences() {
        return limits.maxRunning() == Scheduling.NO_LIMIT ? deployment.engine().maxSequences() : limits.maxRunning();
    }

    /// Returns whether the KV cache of a rank has no space for another request.
    ///
    /// @param running batch size of the rank
    boolean isFull(double running, MeanRequest request) {
        return Math.floor(running) + 1 > rank().capacity(request);
    }

    ServingRank rank() {
        return CalibratedRank.of(pass, deployment.engine(), limits);
    }

    /// Returns the attention data parallel ranks of `count` instances.
    int ranks(int count) {
        return count * layout().dp();
    }

    /// Returns the ranks of `count` instances with their rank model.
    Workers workers(int count) {
        return new Workers(rank(), ranks(count));
    }

    /// Returns a rank without launch overhead.
    ServingRank capturedRank() {
        return CalibratedRank.of(deployment.withoutLaunches(), limits);
    }

    /// Returns the ranks of `count` instances without launch overhead.
    Workers captured(int count) {
        return new Workers(capturedRank(), ranks(count));
    }
}
