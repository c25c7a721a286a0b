package io.throughputoptimizer.core.forward.feedforward;

import static io.throughputoptimizer.core.operator.Quantity.FULLER_EXPERTS;
import static io.throughputoptimizer.core.operator.Quantity.FULLER_UNITS;
import static io.throughputoptimizer.core.operator.Quantity.LESSER_UNITS;
import static io.throughputoptimizer.core.operator.Quantity.LIVE_EXPERTS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS_PER_EXPERT;
import static io.throughputoptimizer.core.operator.Quantity.TOKEN_SHARE;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.forward.feedforward.ExpertKind.Part;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Objects;

/// The split of experts and tokens over ranks, seen from rank 0. Routing is perfectly balanced, with the remainder
/// on
/// the first experts: of `n k` copies, expert `j` of `E` gets `n k div E + (j < n k mod E)` from every expert parallel
/// rank. Rank 0 owns the first experts and is the most loaded rank.
///
/// @param tp tensor parallel size
/// @param dp data parallel size
/// @param compiled whether equal experts may run in grouped products
public record ExpertSplit(Routing routing, ExpertLayout layout, int tp, int dp, boolean compiled) {

    public static ExpertSplit of(Deployment deployment, RoutedExperts experts) {
        return new ExpertSplit(
                experts.routing(),
                Objects.requireNonNull(deployment.layout().experts()),
                deployment.layout().tp(),
                deployment.layout().dp(),
                deployment.execution().compiled());
    }

    /// The path of tokens to the experts.
    enum Path {
        /// Each rank works on its own tokens.
        DIRECT,
        /// The tensor parallel ranks, which all hold the same tokens, take a part each.
        SLICED,
        /// Without expert parallelism, every rank works on the tokens of all data parallel ranks.
        GATHERED
    }

    Path path() {
        if (hasExpertParallelism()) {
            return dp == layout.ep() ? Path.DIRECT : Path.SLICED;
        }
        return dp == 1 ? Path.DIRECT : Path.GATHERED;
    }

    boolean hasExpertParallelism() {
        return layout.ep() > 1;
    }

    /// Returns whether every projection of an expert moves tokens between the tensor parallel group and the
    /// experts' group, because the two differ.
    boolean reshards() {
        return hasExpertParallelism() && layout.moeTp() > 1 && layout.moeTp() != tp;
    }

    /// Experts of a rank.
    int localExperts() {
        return Math.ceilDiv(routing.experts(), layout.ep());
    }

    /// Each expert's tokens are rounded up to a multiple of it.
    int padding() {
        return hasExpertParallelism() ? tp : layout.moeTp();
    }

    /// Reads the quantities that a number of tokens makes.
    ///
    /// @param tokens tokens of the rank, before it takes its part
    /// @param quantities receives the quantities
    public ExpertKind read(long tokens, Quantities quantities) {
        long share = Math.ceilDiv(tokens, tp);
        long copies = routing.expertsPerToken()
                * switch (path()) {
                    case DIRECT -> tokens;
                    case SLICED -> share;
                    case GATHERED -> tokens * dp;
                };
        long each = copies / routing.experts();
        long fuller = Math.min(localExperts(), copies % routing.experts());
        long live = each > 0 ? localExperts() : fuller;
        quantities.set(TOKEN_SHARE, share);
        quantities.set(TOKENS_PER_EXPERT, each);
        quantities.set(FULLER_EXPERTS, fuller);
        quantities.set(LIVE_EXPERTS, live);
        quantities.set(FULLER_UNITS, Math.ceilDiv((each + 1) * layout.ep(), padding()));
        quantities.set(LESSER_UNITS, Math.ceilDiv(each * layout.ep(), padding()));
        boolean even = path() != Path.SLICED || share * tp == tokens;
        boolean idle = compiled && hasExpertParallelism() && live < localExperts();
        return kind(even, idle, part(fuller, each + 1), part(localExperts() - fuller, each));
    }

    private Part part(long experts, long tokens) {
        if (experts == 0 || tokens == 0) {
            return Part.ABSENT;
        }
        return tokens * layout.ep() % padding() == 0 ? Part.EXACT : Part.PADDED;
    }

    /// In grouped products no expert is padded, and it does not show which are fuller.
    private ExpertKind kind(boolean even, boolean idle, Part fuller, Part lesser) {
        boolean padded = fuller == Part.PADDED || lesser == Part.PADDED;
        return compiled && !padded && localExperts() > 1 && !reshards()
                ? new ExpertKind(even, idle, true, Part.EXACT, Part.EXACT)
                : new ExpertKind(even, idle, false, fuller, lesser);
    }
}
