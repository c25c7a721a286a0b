package io.throughputoptimizer.core.deployment;

import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.family.ModelFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Execution options of passes.
///
/// @param compiled whether the graph is compiled, which fuses and merges operators
/// @param mtpTokens draft tokens per decode step, in addition to the next token
/// @param reservedMemoryBytes memory of each device that is kept free
/// @param accounting counting of passes where msmodeling is wrong
/// @param splitsSharedExperts true if shared experts are split over the tensor parallel ranks, false if each
///     rank holds all of them
/// @param fusesReductions true if compiled graphs fuse a product and the all-reduce of its results into one
///     operator; uncompiled graphs never do
public record Execution(
        boolean compiled,
        int mtpTokens,
        double reservedMemoryBytes,
        PassAccounting accounting,
        boolean splitsSharedExperts,
        boolean fusesReductions) {
    /// Returns a copy that splits shared experts over the tensor parallel ranks, or not.
    public Execution withSharedExpertsSplit(boolean split) {
        return new Execution(compiled, mtpTokens, reservedMemoryBytes, accounting, split, fusesReductions);
    }

    /// Returns a copy that fuses products with the all-reduce of their results, or not.
    public Execution withReductionsFused(boolean fused) {
        return new Execution(compiled, mtpTokens, reservedMemoryBytes, accounting, splitsSharedExperts, fused);
    }

    /// Returns a copy with another number of draft tokens.
    public Execution withDrafts(int tokens) {
        return new Execution(compiled, tokens, reservedMemoryBytes, accounting, splitsSharedExperts, fusesReductions);
    }

    public Execution {
        if (mtpTokens < 0) {
            throw new IllegalArgumentException("mtp tokens is " + mtpTokens + ": at least 0 is needed");
        }
        if (!(reservedMemoryBytes >= 0)) {
            throw new IllegalArgumentException(
                    "reserved memory is " + reservedMemoryBytes + " bytes: at least 0 is needed");
        }
    }

    /// Returns the query length of a decode step: the next token and the draft tokens.
    public int decodeQueryLength() {
        return mtpTokens + 1;
    }

    /// Returns the reasons the model cannot run with these options on any layout; empty if it can.
    ///
    /// - Kimi delta attention, selections and experts of a kind are modelled for no family.
    /// - Sliding windows: unsupported with accounting `documented` where msmodeling has no price.
    /// - Drafts: only families whose multi-token prediction is modelled have them, and layers of one kind only.
    /// - Eager passes are modelled for some families only, and with drafts where attention is latent.
    /// - Latent attention on a quantized cache needs quantized linear layers.
    /// - A scheme for all but the routed experts needs routed experts.
    /// - Attention to selected blocks was never measured with 4-bit weights, nor on a quantized cache.
    /// - Shared experts are split where that is modelled.
    public List<Obstacle> obstacles(ModelArchitecture model, QuantizationScheme quantization) {
        List<Obstacle> obstacles = new ArrayList<>();
        RooflineCoverage roofline = new RooflineCoverage(model);
        roofline.unpricedPart()
                .ifPresent(part -> obstacles.add(new Obstacle(
                        Part.MODEL,
                        "is " + model.id() + ": " + part + " of " + model.family()
                                + " is not modelled by cost model analytic")));
        if (model.slides()
                && accounting == PassAccounting.DOCUMENTED
                && !ModelFamily.overlooksWindows(model.family())) {
            obstacles.add(new Obstacle(
                    Part.MODEL,
                    "is " + model.id() + ": sliding window attention of " + model.family()
                            + " is not modelled by cost model analytic with accounting documented; with steady it is"));
        }
        DraftLayers drafts = model.drafts();
        if (mtpTokens > 0 && drafts == null) {
            obstacles.add(new Obstacle(
                    Part.DRAFT_TOKENS, "is " + mtpTokens + ": model " + model.id() + " has no multi-token prediction"));
        }
        if (drafts != null && mtpTokens > drafts.most()) {
            obstacles.add(new Obstacle(
                    Part.DRAFT_TOKENS,
                    "is " + mtpTokens + ": draft layers of " + model.id() + " behind the first " + drafts.most()
                            + " are of another kind, which is not modelled"));
        }
        if (!compiled && !roofline.runsEager()) {
            obstacles.add(new Obstacle(
                    Part.COMPILATION, "must be true for " + model.family() + ": uncompiled graphs are not supported"));
        }
        if (!compiled && mtpTokens > 0 && roofline.runsEager() && model.predictsDrafts() && !model.cachesLatent()) {
            obstacles.add(new Obstacle(
                    Part.COMPILATION, "must be true with multi-token prediction: uncompiled graphs are not supported"));
        }
        if (model.cachesLatent()
                && quantization.attention().isEnabled()
                && !quantization.nonExperts().isEnabled()) {
            obstacles.add(new Obstacle(
                    Part.CACHE_QUANTIZATION,
                    "is " + quantization.attention() + ": latent attention needs quantized linears for it"));
        }
        if (quantization.nonExpertLinear() != null && model.experts().isEmpty()) {
            obstacles.add(new Obstacle(
                    Part.NON_EXPERT_QUANTIZATION,
                    "is " + quantization.nonExpertLinear() + ": model " + model.id()
                            + " has no routed experts to quantize otherwise"));
        }
        if (model.selectsBlocks()) {
            refuse4BitWeights(model, Part.LINEAR_QUANTIZATION, quantization.linear())
                    .ifPresent(obstacles::add);
            if (quantization.nonExpertLinear() != null) {
                refuse4BitWeights(model, Part.NON_EXPERT_QUANTIZATION, quantization.nonExpertLinear())
                        .ifPresent(obstacles::add);
            }
            if (quantization.attention().isEnabled()) {
                obstacles.add(new Obstacle(
                        Part.CACHE_QUANTIZATION,
                        "is " + quantization.attention() + ": a quantized cache of " + model.family()
                                + " was never measured"));
            }
        }
        if (splitsSharedExperts) {
            SharedExpertSplit.obstacle(model, compiled, mtpTokens).ifPresent(obstacles::add);
        }
        return obstacles;
    }

    private static Optional<Obstacle> refuse4BitWeights(
            ModelArchitecture model, Part part, LinearQuantization quantization) {
        return switch (quantization.weight()) {
            case PACKED_INT4, MXFP4 ->
                Optional.of(new Obstacle(
                        part, "is " + quantization + ": 4-bit weights of " + model.family() + " were never measured"));
            case HALF, INT8, FP8 -> Optional.empty();
        };
    }
}
