package io.throughputoptimizer.core.serving;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.workload.LengthSamples;
import io.throughputoptimizer.core.workload.MixedPass;
import io.throughputoptimizer.core.workload.PrefillChunks.Chunk;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;

/// The forward passes of one instance, priced (the forward function, default request shapes).
final class InstancePasses {
    private final Workload workload;
    private final PassEstimator estimator;
    private final Request decodeRequest;
    private final double tokensPerStep;

    InstancePasses(Deployment deployment, ServingTerms terms, ForwardEstimator estimator) {
        this.workload = terms.workload();
        this.estimator = estimator.on(deployment);
        Execution execution = deployment.execution();
        int queryLength = execution.decodeQueryLength();
        this.decodeRequest = Request.decode(queryLength, workload.decodeSequenceLength(queryLength));
        this.tokensPerStep = terms.acceptance().tokensPerStep(execution.mtpTokens());
    }

    /// Prefill of one chunk of `requests` requests.
    ///
    /// @param load decides how many images come with each request
    ForwardEstimate prefill(long requests, Chunk chunk, Load load) {
        return uniform(requests, Request.prefill(chunk.queryLength(), chunk.sequenceLength()), load);
    }

    /// Prefill of one rank's prompts of unequal length.
    ForwardEstimate mixedPrefill(MixedPass pass) {
        List<ForwardShape.Group> groups = pass.pieces().stream()
                .map(piece -> new ForwardShape.Group(
                        piece.count(), Request.prefill(piece.queryLength(), piece.sequenceLength())))
                .toList();
        return estimator.estimate(new ForwardShape.RequestList(groups));
    }

    /// A decode step of `requests` requests.
    ///
    /// @param load decides how many images come with each request
    ForwardEstimate decode(long requests, Load load) {
        return uniform(requests, decodeRequest, load);
    }

    /// A decode step of one rank's requests of unequal length.
    ForwardEstimate mixedDecode(List<LengthSamples> samples) {
        long query = decodeRequest.queryLength();
        List<ForwardShape.Group> groups = samples.stream()
                .map(part -> new ForwardShape.Group(
                        part.samples(),
                        Request.decode(query, requireNonNull(part.decoding()).contextTokens())))
                .toList();
        return estimator.estimate(new ForwardShape.RequestList(groups, false));
    }

    /// A decode step of a single request of text.
    ForwardEstimate smallest() {
        return estimator.estimate(new ForwardShape.Uniform(1, decodeRequest));
    }

    /// Time per output token in ms: `millis / A`, as a step yields `A` tokens per request on average
    /// ([DraftAcceptance#tokensPerStep]).
    double perToken(double decodeMillis) {
        return decodeMillis / tokensPerStep;
    }

    private ForwardEstimate uniform(long requests, Request request, Load load) {
        return estimator.estimate(new ForwardShape.Uniform(requests, request, RequestImages.of(workload, load)));
    }
}
