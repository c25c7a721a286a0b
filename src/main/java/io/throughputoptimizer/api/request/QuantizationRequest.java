package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.NearestQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Quantization of the deployment, as it comes over the wire.
@Schema(name = "Quantization")
public record QuantizationRequest(
        @Only(costModel = CostModelName.ANALYTIC, instead = "use quantization.scheme", insteadOfOne = "use scheme")
        @Schema(
                description = "Quantization of linear layers. A search accepts a list. {only}.",
                defaultValue = "W8A8_DYNAMIC")
        @OneOrMore
        @Size(min = 1, max = Bounds.LIST)
        @Nullable
        List<@NotNull LinearQuantization> linear,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use quantization.scheme", insteadOfOne = "use scheme")
        @Schema(
                description = "Quantization of attention, dense layers, shared experts and draft layers: all linear"
                        + " layers except routed experts. Requires routed experts. A search accepts"
                        + " a list. {only}. Default: that of `linear`.")
        @OneOrMore
        @Size(min = 1, max = Bounds.LIST)
        @Nullable
        List<@NotNull LinearQuantization> nonExpertLinear,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use engine.kv_cache_dtype")
        @Schema(
                description = "Quantization of the KV cache. A search accepts a list. {only}.",
                defaultValue = "DISABLED")
        @OneOrMore
        @Size(min = 1, max = Bounds.LIST)
        @Nullable
        List<@NotNull AttentionQuantization> attention,

        @Only(costModel = CostModelName.ANALYTIC, instead = "use quantization.scheme", insteadOfOne = "use scheme")
        @Schema(description = "Elements that share one scale under MXFP4. {only}.", defaultValue = "32")
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer mxfp4GroupSize,

        @Schema(defaultValue = "false") @Nullable Boolean checkpoint,

        @Only(costModel = CostModelName.CALIBRATED)
        @Schema(
                description =
                        "Weight format of the checkpoint. {only}. Required in simulations; the default of searches"
                                + " and estimates is that of the checkpoint. `FP8` has one scale per"
                                + " tensor, `FP8_BLOCK` one per block. `NVFP4_EXPERTS`, `INT4_EXPERTS` and"
                                + " `MXFP4_EXPERTS` keep attention in bfloat16; `NVFP4_ROUTED` also keeps shared"
                                + " experts. `FP8_MXFP4` has experts in MXFP4 and the rest in FP8 by blocks. `W4A16`"
                                + " and `W8A16` have integer weights and 16-bit activations (AWQ, GPTQ). `W8A8` is"
                                + " for Ascend devices. Searches also accept an object of schemes by device"
                                + " name.",
                ref = QuantizationRequest.SCHEME)
        @Nullable
        PerDevice<Scheme> scheme) {
    /// Reference to the schema of a scheme, which is a word or an object.
    private static final String SCHEME = "#/components/schemas/Scheme";

    static final QuantizationRequest DEFAULT = new QuantizationRequest(
            List.of(LinearQuantization.W8A8_DYNAMIC),
            null,
            List.of(AttentionQuantization.DISABLED),
            QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE,
            null,
            null);

    /// Fields that are absent next to a scheme stay absent; next to a checkpoint they are filled in when the
    /// model is known.
    public QuantizationRequest {
        checkpoint = Boolean.TRUE.equals(checkpoint) ? checkpoint : null;
        if (scheme == null && checkpoint == null) {
            linear = requireNonNullElse(linear, List.of(LinearQuantization.W8A8_DYNAMIC));
            attention = requireNonNullElse(attention, List.of(AttentionQuantization.DISABLED));
            mxfp4GroupSize = requireNonNullElse(mxfp4GroupSize, QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
        }
    }

    /// Returns whether fields of cost model `analytic` might be filled in instead of stated.
    boolean isFilledIn() {
        return scheme == null;
    }

    /// Returns the weight format of a checkpoint, for cost model `calibrated`.
    ///
    /// @param stored whether the checkpoint states how its weights are stored
    public static QuantizationRequest ofCheckpoint(Scheme scheme, boolean stored) {
        return new QuantizationRequest(null, null, null, null, stored, PerDevice.ofAll(scheme));
    }

    /// Returns the violation of a request that needs a scheme and has none.
    List<Violation> missingScheme() {
        return scheme == null
                ? List.of(new Violation("/quantization/scheme", "is required with cost_model calibrated"))
                : List.of();
    }

    /// Returns whether linear layers are quantized as the checkpoint is.
    public boolean isOfCheckpoint() {
        return checkpoint != null;
    }

    /// Returns a copy with the values of the checkpoint filled in.
    ///
    /// @param lookup takes what does not go together
    public QuantizationRequest filledIn(ModelArchitecture model, CatalogLookup lookup) {
        if (!isOfCheckpoint()) {
            return this;
        }
        NearestQuantization.obstacle(model)
                .ifPresent(reason -> lookup.refuse("/quantization/checkpoint", "is true: " + reason));
        Optional<NearestQuantization> nearest = NearestQuantization.of(model);
        if (nearest.isEmpty()) {
            return this;
        }
        QuantizationScheme own = nearest.get().scheme();
        LinearQuantization others = own.nonExpertLinear();
        QuantizationRequest filled = new QuantizationRequest(
                List.of(own.linear()),
                others == null ? null : List.of(others),
                requireNonNullElse(attention, List.of(own.attention())),
                own.mxfp4GroupSize(),
                true,
                null);
        requireOwn("linear", linear, filled.linear, lookup);
        requireOwn("non_expert_linear", nonExpertLinear, filled.nonExpertLinear, lookup);
        requireOwn("mxfp4_group_size", mxfp4GroupSize, filled.mxfp4GroupSize, lookup);
        return filled;
    }

    private static void requireOwn(String member, @Nullable Object given, @Nullable Object own, CatalogLookup lookup) {
        if (given != null && !given.equals(own)) {
            lookup.refuse(
                    "/quantization/" + member,
                    "must not be set when quantization.checkpoint is true: it is taken from the checkpoint");
        }
    }

    /// Returns whether all linear layers and all rows have one quantization.
    public boolean isOne() {
        return scheme != null
                || (requireNonNull(linear).size() == 1
                        && requireNonNull(attention).size() == 1
                        && (nonExpertLinear == null || nonExpertLinear.equals(linear)));
    }

    /// Describes the weight format on a device.
    public String words(String device) {
        if (scheme != null) {
            return scheme(device).name();
        }
        String all = requireNonNull(linear).getFirst().name();
        return nonExpertLinear == null || nonExpertLinear.equals(linear)
                ? all
                : all + " in routed experts and " + nonExpertLinear.getFirst() + " elsewhere";
    }

    /// The scheme for a device, of a request that names one for each.
    public Scheme scheme(String device) {
        return requireNonNull(requireNonNull(scheme).of(device));
    }

    /// Returns the axis of a request without a scheme.
    public QuantizationAxis toAxis() {
        return new QuantizationAxis(
                requireNonNull(linear),
                requireNonNullElse(nonExpertLinear, List.of()),
                requireNonNull(attention),
                requireNonNull(mxfp4GroupSize));
    }

    /// Returns the quantization of a request without a scheme and without [#several].
    public QuantizationScheme toScheme() {
        return toAxis().first();
    }

    /// Members with several values, where a single pass takes one.
    List<Violation> several() {
        return Stream.of(
                        several("/linear", linear),
                        several("/non_expert_linear", nonExpertLinear),
                        several("/attention", attention))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Violation> several(String pointer, @Nullable List<?> values) {
        return values == null || values.size() == 1
                ? Optional.empty()
                : Optional.of(new Violation(pointer, "must be a single value here, got " + values.size() + " values"));
    }
}
