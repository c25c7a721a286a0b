package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// KV transfer sizes from prefill to decode instances. Thread-safe.
///
/// `bytes = cache of a token * input tokens + recurrent states`, of one request on one device, as estimated
/// with accounting `steady`, which includes recurrent states. All input tokens are transferred, prefix cache
/// hits included, and one copy of each, independent of the number of decode ranks: ranks with equal contents
/// share it.
public final class KvTransferCosts {
    private final KvTransferLink transfer;
    private final ForwardEstimator estimator;
    private final Map<Contents, Handover> known = new ConcurrentHashMap<>();

    /// Inputs that the contents of a cache depend on.
    private record Contents(Deployment deployment, Workload workload) {}

    public KvTransferCosts(KvTransferLink transfer, ForwardEstimator estimator) {
        this.transfer = transfer;
        this.estimator = estimator;
    }

    /// Returns the reason why the transferred bytes of a request are unknown, such as a number of images that
    /// depends on the batch; empty if they are known.
    public static Optional<String> obstacle(Workload workload) {
        Workload.Images images = workload.images();
        return images != null && images.batchSize() == null
                ? Optional.of("requires workload.image.batch_size, which determines the size of the KV cache. Set it or"
                        + " remove kv_transfer")
                : Optional.empty();
    }

    /// Returns the KV transfer of a request that the candidate prefills or decodes.
    public Handover of(Candidate candidate) {
        Deployment deployment = candidate.deployment();
        Contents contents = new Contents(
                new Deployment(
                        deployment.model(),
                        deployment.device(),
                        oneDevice(candidate),
                        deployment.quantization(),
                        steady(deployment.execution())),
                candidate.terms().workload());
        return known.computeIfAbsent(contents, this::priced);
    }

    private Handover priced(Contents contents) {
        return transfer.of(bytes(contents));
    }

    private double bytes(Contents contents) {
        Workload workload = contents.workload;
        Workload.Images images = workload.images();
        ImageInput input =
                images == null ? null : new ImageInput(images.perRequest(1), images.height(), images.width());
        long tokens = workload.lengths().decodeContext(0);
        long query = contents.deployment.execution().decodeQueryLength();
        MemoryFootprint memory = estimator
                .estimate(
                        contents.deployment,
                        new ForwardShape.Uniform(1, Request.decode(query, Math.max(tokens, query)), input, true))
                .memory();
        double all = tokens + (input == null ? 0 : input.tokens(contents.deployment.model()));
        return memory.kvCacheBytesPerToken() * all + memory.stateBytes();
    }

    private static ParallelLayout oneDevice(Candidate candidate) {
        return LayoutAxis.of(candidate.deployment().model(), new ParallelSizes(List.of(1), null, null), 1)
                .layouts()
                .getFirst();
    }

    private static Execution steady(Execution execution) {
        return new Execution(
                execution.compiled(),
                execution.mtpTokens(),
                execution.reservedMemoryBytes(),
                PassAccounting.STEADY,
                execution.splitsSharedExperts(),
                execution.fusesReductions());
    }
}
