package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.Learnt;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.RequestBytes;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.Breach.Limit;
import io.throughputoptimizer.core.steady.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.steady.EngineSettings.Scheduling;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.ServingRank;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An instance on a measured device that can be priced.
///
/// @param device name of the kind of device
/// @param limits of each rank
/// @param learnt what corrects its figures; absent for those of the model
public record PricedInstance(
        String device,
        SiliconDeployment deployment,
        CalibratedPass pass,
        CalibratedRank.Limits limits,
        @Nullable Learnt learnt) {

    /// Layouts of so many devices on the only device of a problem that do one phase alone, those that decode with each
    /// speculation; none that cannot be run or priced there.
    ///
    /// @param checkpoint is called before each is priced, and may end the work by an exception
    public static List<PricedInstance> all(MeasuredProblem problem, int devices, Phase phase, Runnable checkpoint) {
        return all(problem, problem.devices().getFirst(), devices, phase, checkpoint);
    }

    /// The same on one of its devices.
    static List<PricedInstance> all(
            MeasuredProblem problem, MeasuredDevice device, int devices, Phase phase, Runnable checkpoint) {
        return problem.instancesApart(device, devices, phase).stream()
                .peek(_ -> checkpoint.run())
                .filter(deployment -> deployment.servingObstacle().isEmpty())
                .map(deployment -> of(deployment, device, phase, problem.terms()))
                .toList();
    }

    /// @throws IllegalArgumentException if the deployment has an obstacle
    static PricedInstance of(SiliconDeployment deployment, MeasuredDevice device, Phase phase, SteadyTerms terms) {
        return new PricedInstance(
                device.name(),
                deployment,
                CalibratedPass.of(deployment),
                device.limits(deployment, phase, terms.traffic().lengths(), terms.batches()),
                device.correction());
    }

    /// The law asks for room on the decode side only; a prefill rank needs some for the prompt that it works on.
    public Optional<Breach> lackOfRoomForAPrompt(MeanRequest request) {
        double needed = request.cachedPrompt(limits.use());
        double room = limits.cacheTokens();
        return room >= needed ? Optional.empty() : Optional.of(new Breach(Limit.KV_TOKENS, needed, room));
    }

    /// Returns the memory that a rank lacks; empty if the first limit that it breaks is another.
    public Optional<MemoryShortage> shortage(List<Breach> breaches) {
        return MemoryShortage.of(limits, breaches.getFirst());
    }

    /// Of one prompt that does not wait.
    public double promptMillis(MeanRequest request) {
        return request.prompts(rank().step()::prefill).millis();
    }

    /// What a request hands over to be decoded here: the cache of its prompt on one device, as one copy of it moves.
    ///
    /// @param transfer absent where that takes no time
    public @Nullable Handover handover(@Nullable KvTransfer transfer, SteadyTerms terms) {
        if (transfer == null) {
            return null;
        }
        RequestBytes bytes = SiliconMemory.handedOver(deployment);
        return transfer.of(terms.request().cachedPrompt(bytes::of));
    }

    /// The same with a KV cache that holds everything, as nobody knows a limit.
    public PricedInstance withoutCacheLimit() {
        return new PricedInstance(
                device,
                deployment,
                pass,
                new CalibratedRank.Limits(Double.POSITIVE_INFINITY, limits.maxRunning(), limits.pollInterval()),
                learnt);
    }

    public ParallelLayout layout() {
        return deployment.layout();
    }

    /// Most sequences that a rank runs: `max_num_seqs` where the request has it, else the engine's own limit.
    int maxSequences() {
        return limits.maxRunning() == Scheduling.NO_LIMIT ? deployment.engine().maxSequences() : limits.maxRunning();
    }

    /// Returns whether the KV cache of a rank has no room for one request more.
    ///
    /// @param running requests that it runs
    boolean isFull(double running, MeanRequest request) {
        return Math.floor(running) + 1 > rank().capacity(request);
    }

    ServingRank rank() {
        return CalibratedRank.of(pass, deployment.engine(), limits);
    }

    /// Attention data parallel ranks of so many instances.
    int ranks(int count) {
        return count * layout().dp();
    }

    /// So many instances.
    Workers workers(int count) {
        return new Workers(rank(), ranks(count));
    }

    /// A rank on a device whose launches are all for free.
    ServingRank capturedRank() {
        return CalibratedRank.of(deployment.withoutLaunches(), limits);
    }

    /// So many on such a device.
    Workers captured(int count) {
        return new Workers(capturedRank(), ranks(count));
    }
}
