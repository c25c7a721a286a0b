package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sizes and kinds of prefill and decode instances, as they come over the wire.
@Only(mode = Mode.PD_RATIO, needed = "mode pd_ratio needs the devices of a prefill and of a decode instance")
@Schema(
        name = "PdRatioSizes",
        description = "Prefill and decode instances to pair, in {only}. With one size of each and nothing"
                + " else pairs are ranked as the reference does. With a list, a kind of device or a transfer every pair"
                + " of layouts stands in the whole numbers of instances that are best for it, ranked by balanced"
                + " requests per second and device unless `objective` says otherwise.")
public record PdRatioRequest(
        @Schema(description = "Devices of one prefill instance. A list to try several.", example = "8")
        @Required
        @OneOrMore
        @Size(min = 1, max = MOST_SIZES)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> prefillDevicesPerInstance,

        @Schema(description = "Devices of one decode instance. A list to try several.", example = "8")
        @Required
        @OneOrMore
        @Size(min = 1, max = MOST_SIZES)
        @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> decodeDevicesPerInstance,

        @Schema(
                description =
                        "Kind of device of prefill instances, named in `devices`; `num_devices` of each kind are there."
                                + " A list to try several. Absent: with `decode_devices` any of `devices`, else both sides of a"
                                + " pair are of one kind.",
                example = "H100_SXM")
        @OneOrMore
        @Size(min = 1, max = Bounds.DEVICE_KINDS)
        @Nullable
        List<@NotBlank String> prefillDevices,

        @Schema(description = "Kind of device of decode instances, as `prefill_devices`.", example = "H100_SXM")
        @OneOrMore
        @Size(min = 1, max = Bounds.DEVICE_KINDS)
        @Nullable
        List<@NotBlank String> decodeDevices,

        @Schema(description = "How KV caches get from prefill to decode; absent: in no time.") @Valid @Nullable
        KvTransferRequest kvTransfer)
        implements Composite {
    /// Sizes of one side.
    static final int MOST_SIZES = 64;

    private static final String MISSING = "is missing: a value is needed";

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> missing = new ArrayList<>();
        if (prefillDevicesPerInstance == null) {
            missing.add(new Violation("/prefill_devices_per_instance", MISSING));
        }
        if (decodeDevicesPerInstance == null) {
            missing.add(new Violation("/decode_devices_per_instance", MISSING));
        }
        return missing;
    }

    public Pairing toPairing() {
        return new Pairing(
                new Instances(requireNonNull(prefillDevicesPerInstance), requireNonNullElse(prefillDevices, List.of())),
                new Instances(requireNonNull(decodeDevicesPerInstance), requireNonNullElse(decodeDevices, List.of())),
                KvTransferRequest.toTransfer(kvTransfer));
    }
}
