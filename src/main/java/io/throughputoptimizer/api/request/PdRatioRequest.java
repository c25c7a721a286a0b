package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.Collections;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Sizes and kinds of prefill and decode instances, as they come over the wire.
@Only(mode = Mode.PD_RATIO)
@Schema(
        name = "PdRatioSizes",
        description = "Prefill and decode instances to pair. {only}. With one size of each and nothing else,"
                + " pairs rank as in msmodeling. With a list, a device type or a transfer, the service"
                + " computes the best whole number of instances for every pair of layouts. These rank by"
                + " balanced requests per second and device, unless `objective` is set.")
public record PdRatioRequest(
        @OneOrMore @Size(min = 1, max = MOST_SIZES) @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> prefillDevicesPerInstance,

        @OneOrMore @Size(min = 1, max = MOST_SIZES) @Nullable
        List<@NotNull @Min(1) @Max(Bounds.COUNT) Integer> decodeDevicesPerInstance,

        @OneOrMore @Size(min = 1, max = Bounds.DEVICE_KINDS) @Nullable
        List<@NotBlank String> prefillDevices,

        @OneOrMore @Size(min = 1, max = Bounds.DEVICE_KINDS) @Nullable
        List<@NotBlank String> decodeDevices,

        @Valid @Nullable KvTransferRequest kvTransfer) {
    /// Sizes of one side.
    static final int MOST_SIZES = 64;

    /// A request without sizes and kinds.
    static final PdRatioRequest ANY = new PdRatioRequest(null, null, null, null, null);

    /// Returns this request with the sizes of a pairing.
    PdRatioRequest with(Pairing pairing) {
        return WireMember.copy(
                this,
                "prefillDevicesPerInstance",
                pairing.prefill().sizes(),
                "decodeDevicesPerInstance",
                pairing.decode().sizes());
    }

    /// The pairing to search. A side without sizes gets those that fit and have a layout, or all that fit if none has.
    ///
    /// @param most devices of one kind
    /// @param hasLayout whether an instance of so many devices has a layout
    public Pairing toPairing(int most, IntPredicate hasLayout) {
        return new Pairing(
                new Instances(
                        requireNonNullElseGet(
                                prefillDevicesPerInstance, () -> fitting(most, decodeDevicesPerInstance, hasLayout)),
                        requireNonNullElse(prefillDevices, List.of())),
                new Instances(
                        requireNonNullElseGet(
                                decodeDevicesPerInstance, () -> fitting(most, prefillDevicesPerInstance, hasLayout)),
                        requireNonNullElse(decodeDevices, List.of())),
                KvTransferRequest.toTransfer(kvTransfer));
    }

    /// @param others sizes of the other side
    private List<Integer> fitting(int most, @Nullable List<Integer> others, IntPredicate hasLayout) {
        boolean apart =
                prefillDevices != null && decodeDevices != null && Collections.disjoint(prefillDevices, decodeDevices);
        int taken = apart
                ? 0
                : requireNonNullElse(others, List.of(1)).stream()
                        .mapToInt(Integer::intValue)
                        .min()
                        .orElse(1);
        int largest = Math.max(1, most - taken);
        List<Integer> sizes = IntStream.iterate(1, size -> size <= largest, size -> size * 2)
                .boxed()
                .toList();
        List<Integer> possible = sizes.stream().filter(hasLayout::test).toList();
        return possible.isEmpty() ? sizes : possible;
    }
}
