package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Lever.Adjustable;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.Lever.FigureOf;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// A question with one best answer, which can be changed one thing at a time.
sealed interface Question permits RooflineQuestion, MeasuredQuestion {
    Aim aim();

    /// What plans are ranked by.
    Objective objective();

    /// What plans must keep.
    Limits limits();

    /// What a limit, or a figure of the device, is set to, in the lever's unit; absent where there is no such thing.
    default @Nullable Double amount(Adjustable lever) {
        return switch (lever) {
            case Lever.Limit limit -> amount(limit);
            case DeviceFigure figure ->
                isOfTwoKinds() ? null : amount(figure, deviceNames().getFirst());
            case FigureOf(DeviceFigure figure, String device) -> isOfTwoKinds() ? amount(figure, device) : null;
            case Lever.Transfer.KV_TRANSFER_RATE -> TransferRate.of(instances());
        };
    }

    /// Of the mean, or of a percentile where one is asked for.
    private @Nullable Double amount(Lever.Limit limit) {
        return switch (limit) {
            case TTFT_LIMIT -> limits().ttftMillis();
            case TPOT_LIMIT -> limits().tpotMillis();
            case REQUEST_LATENCY_LIMIT -> limits().requestLatencyMillis();
        };
    }

    /// Names of its kinds of device: one, or of pairs two.
    List<String> deviceNames();

    /// A figure of a kind of device, by its name; absent where there is no such figure.
    @Nullable
    Double amount(DeviceFigure figure, String device);

    /// Instances to pair; absent where there are none.
    @Nullable
    Pairing instances();

    private boolean isOfTwoKinds() {
        return deviceNames().size() > 1;
    }

    /// A figure of the device; of two kinds that of each by itself.
    default List<? extends Adjustable> levers(DeviceFigure figure) {
        return isOfTwoKinds()
                ? deviceNames().stream()
                        .map(device -> new FigureOf(figure, device))
                        .toList()
                : List.of(figure);
    }

    /// The same with another amount; empty where there is none, or it cannot be asked for.
    default Optional<? extends Question> with(Adjustable lever, double amount) {
        Double today = amount(lever);
        if (today == null) {
            return Optional.empty();
        }
        return switch (lever) {
            case Lever.Limit.TTFT_LIMIT -> with(limits().withTtft(amount));
            case Lever.Limit.TPOT_LIMIT -> with(limits().withTpot(amount));
            case Lever.Limit.REQUEST_LATENCY_LIMIT -> with(limits().withRequestLatency(amount));
            case DeviceFigure figure -> scaled(figure, deviceNames().getFirst(), amount / today);
            case FigureOf(DeviceFigure figure, String device) -> scaled(figure, device, amount / today);
            case Lever.Transfer.KV_TRANSFER_RATE ->
                TransferRate.with(instances(), amount).flatMap(this::with);
        };
    }

    /// The same with other limits; empty when they cannot be asked for.
    Optional<? extends Question> with(Limits limits);

    /// The same with other instances; empty where they do not go together with the rest.
    Optional<? extends Question> with(Pairing instances);

    /// The same with a figure of a kind of device, by its name, so many times as high; empty where that cannot run the
    /// model.
    Optional<? extends Question> scaled(DeviceFigure figure, String device, double factor);

    /// The same ranked by something else; empty when that cannot be asked for.
    Optional<? extends Question> with(Objective objective);

    /// Devices available of each kind.
    AvailableDevices available();

    /// What says how many devices there are: of two kinds with numbers of their own one lever each.
    default List<Lever> deviceCounts() {
        return available().isByKind()
                ? deviceNames().stream().<Lever>map(Lever.CountOf::new).toList()
                : List.of(Lever.Choice.DEVICE_COUNT);
    }

    /// What one of [#deviceCounts] is set to.
    default int deviceCount(Lever count) {
        return count instanceof Lever.CountOf(String device)
                ? available().of(device)
                : available().most();
    }

    /// Devices that can be connected.
    int mostDevices();

    /// The same with another number of devices; empty when that cannot be asked for, or they do not matter.
    ///
    /// @param lever of [#deviceCounts]
    default Optional<? extends Question> withDevices(Lever lever, int count) {
        return withDevices(
                lever instanceof Lever.CountOf(String device)
                        ? available().with(device, count)
                        : AvailableDevices.ofEach(count));
    }

    /// The same with other numbers of devices; empty when that cannot be asked for, or they do not matter.
    Optional<? extends Question> withDevices(AvailableDevices available);

    /// Input tokens of every request; empty where they are mixed.
    OptionalInt inputTokens();

    /// The same with so many input tokens; empty when that cannot be asked for.
    Optional<? extends Question> withInput(int tokens);

    /// Requests per second that come whether or not others have been answered; empty where they wait for answers.
    default OptionalDouble requestRate() {
        return OptionalDouble.empty();
    }

    /// The same with so many of them; empty when that cannot be asked for.
    default Optional<? extends Question> withRequestRate(double perSecond) {
        return Optional.empty();
    }

    /// Levers that mean nothing there, and why.
    default List<NotAsked> notAsked() {
        return List.of();
    }

    /// What was done when a lever of it is left out, in words.
    String spent();

    /// What of it can be chosen anew.
    Choices choices();

    /// Tokens of a prefill pass; empty where that is not changed.
    ///
    /// @param today its best plan
    OptionalInt tokenBudget(Plan today);

    /// The same with another; empty when that cannot be asked for.
    Optional<? extends Question> withTokenBudget(int tokens);

    /// Share of the input that a prefix cache holds; empty where that is not changed.
    OptionalDouble hitRate();

    /// The same with another; empty when that cannot be asked for.
    Optional<? extends Question> withHitRate(double rate);

    /// Instances whose sizes are changed; absent where there are none, or their sizes are not.
    default @Nullable Pairing resizable() {
        return null;
    }
}
