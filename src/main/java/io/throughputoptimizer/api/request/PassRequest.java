package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.WorkloadRequest.ImageRequest;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.ImageInput;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.kernels.Phase;
import io.throughputoptimizer.core.kernels.RankPass;
import io.throughputoptimizer.core.kernels.RankPass.Sequences;
import io.throughputoptimizer.core.workload.Workload;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The requests of one pass, as they come over the wire.
@Schema(name = "Pass")
public record PassRequest(
        @Required @Nullable Stage phase,
        @Min(1) @Max(Bounds.PASS_COUNT) @Nullable Long concurrency,
        @Min(1) @Max(Bounds.PASS_COUNT) @Nullable Long queryLen,
        @Min(1) @Max(Bounds.PASS_COUNT) @Nullable Long seqLen,

        @Only(costModel = CostModelName.ANALYTIC, instead = "recurrent states are not priced")
        @Min(1)
        @Max(Bounds.PASS_COUNT)
        @Nullable
        Long contextLength,

        @Size(min = 1, max = Bounds.LIST) @Nullable List<@NotNull @Valid GroupRequest> requests,

        @Only(costModel = CostModelName.ANALYTIC, instead = "images are not priced") @Valid @Nullable
        ImageRequest image)
        implements Composite {
    static final PassRequest EMPTY = new PassRequest(null, null, null, null, null, null, null);

    /// Stages of a forward pass.
    public enum Stage {
        PREFILL,
        DECODE
    }

    /// Equal requests in a list.
    @Schema(name = "RequestGroup")
    public record GroupRequest(
            @Required @Min(1) @Max(Bounds.PASS_COUNT) @Nullable
            Long count,

            @Required @Min(1) @Max(Bounds.PASS_COUNT) @Nullable
            Long queryLen,

            @Required @Min(1) @Max(Bounds.PASS_COUNT) @Nullable
            Long seqLen)
            implements Composite {

        @Override
        public List<Violation> inconsistencies() {
            return contextViolations(queryLen, seqLen);
        }

        private Sequences toSequences() {
            return new Sequences(requireNonNull(count), requireNonNull(queryLen), requireNonNull(seqLen));
        }

        private ForwardShape.Group toGroup(boolean decode) {
            return new ForwardShape.Group(
                    requireNonNull(count), new Request(requireNonNull(queryLen), requireNonNull(seqLen), decode));
        }
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>(contextViolations(queryLen, seqLen));
        if (requests == null) {
            requireGiven(broken, "/concurrency", concurrency);
            requireGiven(broken, "/query_len", queryLen);
            requireGiven(broken, "/seq_len", seqLen);
            requireRest(broken);
        } else if (contextLength != null) {
            broken.add(new Violation("/context_length", "must not be combined with pass.requests. Remove one"));
        } else if (concurrency != null || queryLen != null || seqLen != null) {
            broken.add(
                    new Violation("", "must have either requests, or concurrency, query_len and seq_len. Remove one"));
        } else if (image != null) {
            broken.add(new Violation("/image", "must not be combined with pass.requests. Remove one"));
        }
        return broken;
    }

    private void requireRest(List<Violation> broken) {
        if (contextLength != null && queryLen != null && seqLen != null && contextLength != seqLen - queryLen) {
            broken.add(new Violation(
                    "/context_length",
                    "must be seq_len - query_len (" + (seqLen - queryLen) + "), got " + contextLength));
        }
    }

    private static void requireGiven(List<Violation> broken, String pointer, @Nullable Long value) {
        if (value == null) {
            broken.add(new Violation(pointer, "is required unless pass.requests is set"));
        }
    }

    private static List<Violation> contextViolations(@Nullable Long queryLen, @Nullable Long seqLen) {
        return queryLen != null && seqLen != null && seqLen < queryLen
                ? List.of(new Violation("/seq_len", "must be at least query_len (" + queryLen + "), got " + seqLen))
                : List.of();
    }

    /// Rules of cost model `calibrated`.
    ///
    /// @param dp attention data parallel ranks that share `concurrency`
    /// @param decodeTokens of a request that a decode step computes, 1 unless it drafts
    List<Violation> calibratedInconsistencies(int dp, int decodeTokens) {
        List<Violation> broken = new ArrayList<>();
        if (concurrency != null && dp > 0 && concurrency % dp != 0) {
            broken.add(new Violation(
                    "/concurrency", "must be a multiple of the " + dp + " data parallel ranks, got " + concurrency));
        }
        if (phase == Stage.DECODE) {
            requireTokens(broken, "/query_len", queryLen, decodeTokens);
            for (int index = 0; requests != null && index < requests.size(); index++) {
                requireTokens(broken, "/requests/" + index + "/query_len", requests.get(index).queryLen, decodeTokens);
            }
        }
        return broken;
    }

    private static void requireTokens(List<Violation> broken, String pointer, @Nullable Long queryLen, int needed) {
        if (queryLen != null && queryLen != needed) {
            broken.add(new Violation(
                    pointer,
                    "must be " + needed + " in a decode step with cost_model calibrated, got " + queryLen
                            + (needed == 1 ? "" : ". A step verifies " + (needed - 1) + " draft tokens")));
        }
    }

    /// Returns the work of one rank for cost model `calibrated`.
    ///
    /// @param dp attention data parallel ranks that share `concurrency`
    public RankPass toRankPass(int dp) {
        Phase computed = phase == Stage.DECODE ? Phase.DECODE : Phase.PREFILL;
        if (requests != null) {
            return RankPass.of(
                    computed, requests.stream().map(GroupRequest::toSequences).toList());
        }
        double share = (double) requireNonNull(concurrency) / dp;
        return RankPass.of(computed, List.of(new Sequences(share, requireNonNull(queryLen), requireNonNull(seqLen))));
    }

    /// @param dp data parallel ranks that share `concurrency`
    public ForwardShape toShape(int dp) {
        boolean decode = phase == Stage.DECODE;
        if (requests != null) {
            return new ForwardShape.RequestList(
                    requests.stream().map(group -> group.toGroup(decode)).toList());
        }
        long count = requireNonNull(concurrency);
        return new ForwardShape.Uniform(
                count,
                new Request(requireNonNull(queryLen), requireNonNull(seqLen), decode),
                image == null ? null : images(image.toImages(), Math.ceilDiv(count, dp)),
                contextLength != null);
    }

    /// Returns a violation for each decode request that computes fewer tokens than its drafts need.
    ///
    /// @param shape what [#toShape] made of this
    public static List<Violation> missingDrafts(ForwardShape shape, int draftTokens) {
        return switch (shape) {
            case ForwardShape.Uniform uniform -> missingDrafts("", uniform.request(), draftTokens);
            case ForwardShape.RequestList list ->
                IntStream.range(0, list.groups().size())
                        .mapToObj(index -> missingDrafts(
                                "/requests/" + index, list.groups().get(index).request(), draftTokens))
                        .flatMap(List::stream)
                        .toList();
        };
    }

    private static List<Violation> missingDrafts(String pointer, Request request, int draftTokens) {
        String obstacle = request.obstacle(draftTokens);
        return obstacle == null ? List.of() : List.of(new Violation(pointer + "/query_len", obstacle));
    }

    private static ImageInput images(Workload.Images images, long requestsPerRank) {
        return new ImageInput(images.perRequest(requestsPerRank), images.height(), images.width());
    }
}
