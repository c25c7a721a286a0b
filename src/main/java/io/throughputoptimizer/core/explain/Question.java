package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Explanation.SkippedLever;
import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Lever.FigureOf;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A search with one best plan, whose settings can be changed one at a time.
sealed interface Question permits RooflineQuestion, CalibratedQuestion {
    QuestionKind aim();

    Objective objective();

    Limits limits();

    /// Returns the value of a limit or device parameter in the lever's unit, or null if it does not apply.
    default @Nullable Double amount(Adjustable lever) {
        return switch (lever) {
            case Lever.Limit limit -> amount(limit);
            case DeviceFigure figure ->
                isOfTwoKinds() ? null : amount(figure, deviceNames().getFirst());
            case FigureOf(DeviceFigure figure, String device) -> isOfTwoKinds() ? amount(figure, device) : null;
            case Lever.Transfer.KV_TRANSFER_RATE -> TransferRate.of(instances());
        };
    }

    /// Returns the limit on the mean, or on the requested percentile.
    private @Nullable Double amount(Lever.Limit limit) {
        return switch (limit) {
            case TTFT_LIMIT -> limits().ttftMillis();
            case TPOT_LIMIT -> limits().tpotMillis();
            case E2E_LATENCY_LIMIT -> limits().requestLatencyMillis();
        };
    }

    /// Returns the names of its kinds of device: one, or two for pairs.
    List<String> deviceNames();

    /// Returns a parameter of a kind of device, or null if it does not apply.
    @Nullable
    Double amount(DeviceFigure figure, String device);

    /// Returns the pairing of instances, or null if there is none.
    @Nullable
    Pairing instances();

    private boolean isOfTwoKinds() {
        return deviceNames().size() > 1;
    }

    /// Returns the levers of a device parameter: one, or one per kind for pairs of two kinds.
    default List<? extends Adjustable> levers(DeviceFigure figure) {
        return isOfTwoKinds()
                ? deviceNames().stream()
                        .map(device -> new FigureOf(figure, device))
                        .toList()
                : List.of(figure);
    }

    /// Returns a copy with another amount, or empty if the lever does not apply or the amount is invalid.
    default Optional<? extends Question> with(Adjustable lever, double amount) {
        Double today = amount(lever);
        if (today == null) {
            return Optional.empty();
        }
        return switch (lever) {
            case Lever.Limit.TTFT_LIMIT -> with(limits().withTtft(amount));
            case Lever.Limit.TPOT_LIMIT -> with(limits().withTpot(amount));
            case Lever.Limit.E2E_LATENCY_LIMIT -> with(limits().withRequestLatency(amount));
            case DeviceFigure figure -> scaled(figure, deviceNames().getFirst(), amount / today);
            case FigureOf(DeviceFigure figure, String device) -> scaled(figure, device, amount / today);
            case Lever.Transfer.KV_TRANSFER_RATE ->
                TransferRate.with(instances(), amount).flatMap(this::with);
        };
    }

    /// Returns a copy with other limits, or empty if they are invalid.
    Optional<? extends Question> with(Limits limits);

    /// Returns a copy with another pairing, or empty if it conflicts with other settings.
    Optional<? extends Question> with(Pairing instances);

    /// Returns a copy with a device parameter multiplied by a factor, or empty if the device cannot run the
    /// model.
    Optional<? extends Question> scaled(DeviceFigure figure, String device, double factor);

    /// Returns a copy with another objective, or empty if it is not supported.
    Optional<? extends Question> with(Objective objective);

    /// Returns the devices available of each kind.
    AvailableDevices available();

    /// Returns the levers of the device count: one per kind if counts are set by kind.
    default List<Lever> deviceCounts() {
        return available().isByKind()
                ? deviceNames().stream().<Lever>map(Lever.CountOf::new).toList()
                : List.of(Lever.Choice.DEVICE_COUNT);
    }

    /// Returns the value of one of [#deviceCounts].
    default int deviceCount(Lever count) {
        return count instanceof Lever.CountOf(String device)
                ? available().of(device)
                : available().most();
    }

    /// Returns the maximum number of connected devices.
    int mostDevices();

    /// Returns a copy with another device count, or empty if it is invalid or has no effect.
    ///
    /// @param lever one of [#deviceCounts]
    default Optional<? extends Question> withDevices(Lever lever, int count) {
        return withDevices(
                lever instanceof Lever.CountOf(String device)
                        ? available().with(device, count)
                        : AvailableDevices.ofEach(count));
    }

    /// Returns a copy with other device counts, or empty if they are invalid or have no effect.
    Optional<? extends Question> withDevices(AvailableDevices available);

    /// Returns the input tokens of every request, or empty if lengths vary.
    OptionalInt inputTokens();

    /// Returns a copy with another input length, or empty if it is invalid.
    Optional<? extends Question> withInput(int tokens);

    /// Returns the arrival rate of open-loop requests per second, or empty for closed-loop requests.
    default OptionalDouble requestRate() {
        return OptionalDouble.empty();
    }

    /// Returns a copy with another arrival rate, or empty if it is invalid.
    default Optional<? extends Question> withRequestRate(double perSecond) {
        return Optional.empty();
    }

    /// Returns the levers that do not apply, with reasons.
    default List<SkippedLever> notAsked() {
        return List.of();
    }

    /// Describes the work done before a lever is left out.
    String spent();

    Choices choices();

    /// Returns the token budget of a prefill pass, or empty if it cannot be changed.
    ///
    /// @param today the best plan
    OptionalInt tokenBudget(Plan today);

    /// Returns a copy with another token budget, or empty if it is invalid.
    Optional<? extends Question> withTokenBudget(int tokens);

    /// Returns the prefix cache hit rate as a share of the input, or empty if it cannot be changed.
    OptionalDouble hitRate();

    /// Returns a copy with another hit rate, or empty if it is invalid.
    Optional<? extends Question> withHitRate(double rate);

    /// Returns the pairing whose sizes can be changed, or null if there is none.
    default @Nullable Pairing resizable() {
        return null;
    }

    /// The KV transfer rate of a pairing, in GiB per second.
    static final class TransferRate {
        /// Minimum rate that requests may set.
        private static final double LEAST = 1e-6;

        static final double MOST = 1e9;

        private TransferRate() {}

        /// Returns the rate of a pairing, or null if transfers take no time.
        static @Nullable Double of(@Nullable Pairing pairing) {
            KvTransferLink transfer = pairing == null ? null : pairing.transfer();
            return transfer == null ? null : (Double) (transfer.bytesPerSecond() / MemoryFootprint.GIB);
        }

        /// Returns the pairing with another rate, or empty if it has no transfer or the rate is out of range.
        static Optional<Pairing> with(@Nullable Pairing pairing, double gigabytesPerSecond) {
            KvTransferLink now = pairing == null ? null : pairing.transfer();
            return pairing == null || now == null || gigabytesPerSecond < LEAST || gigabytesPerSecond > MOST
                    ? Optional.empty()
                    : Optional.of(pairing.with(
                            new KvTransferLink(gigabytesPerSecond * MemoryFootprint.GIB, now.latencyMillis())));
        }
    }
}
