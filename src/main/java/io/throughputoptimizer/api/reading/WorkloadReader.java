package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.request.CatalogLookup;
import io.throughputoptimizer.api.request.ConversationRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Workload;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns a [WorkloadRequest] that keeps the rules on its record into a [Workload].
final class WorkloadReader {
    private WorkloadReader() {}

    /// Empty where it names what is not there, or breaks a rule; the lookup says so then.
    static Optional<Workload> read(WorkloadRequest request, CatalogLookup lookup) {
        if (request.conversation() != null) {
            return Optional.of(Workload.of(request.conversation().toConversation()));
        }
        Workload.@Nullable Images images =
                request.image() == null ? null : request.image().toImages();
        Optional<Lengths> lengths = request.lengthDistribution() == null
                ? Optional.of(new Lengths.Fixed(requireNonNull(request.inputLength())))
                : distribution("length_distribution", request.lengthDistribution(), lookup)
                        .map(Lengths.Mixed::new);
        Optional<OutputLengths> outputs = request.outputDistribution() == null
                ? Optional.of(OutputLengths.fixed(requireNonNull(request.outputLength())))
                : distribution("output_distribution", request.outputDistribution(), lookup)
                        .map(OutputLengths::of);
        if (lengths.isEmpty() || outputs.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new Workload(lengths.orElseThrow(), outputs.orElseThrow(), request.prefixCacheHitRate(), images));
        } catch (IllegalArgumentException e) {
            lookup.refuse("/workload", CatalogLookup.message(e));
            return Optional.empty();
        }
    }

    /// A state is that of all tokens before it: the next turn can go on from no part of it.
    static void refuseKeptStates(WorkloadRequest request, ModelArchitecture model, CatalogLookup lookup) {
        ConversationRequest conversation = request.conversation();
        if (conversation != null
                && conversation.toConversation().keepsCache()
                && model.delta().isPresent()) {
            lookup.refuse(
                    "/workload/conversation/keeps_cache",
                    "is true: recurrent states of " + model.family()
                            + " are of all tokens before, and hold no prefix to share");
        }
    }

    private static Optional<LengthDistribution> distribution(
            String member, LengthDistributionRequest request, CatalogLookup lookup) {
        return request.name() == null
                ? Optional.of(request.toDistribution())
                : lookup.lengthDistribution("/workload/" + member + "/name", request.name());
    }
}
