package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.load.Distribution;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Relative errors `predicted / measured - 1` over several servers, in percent.
///
/// @param servers number of servers
/// @param median median of the absolute errors
/// @param ninetieth p90 of the absolute errors
/// @param bias median of the signed errors; above 0 if predictions are too high
public record Errors(int servers, double median, double ninetieth, double bias) {

    /// Returns the errors of the steady-state TPOT, or empty if none was measured.
    public static Optional<Errors> ofTpot(List<ModelledServer> servers) {
        return of(servers, measured -> measured.tpotMillis(), ModelledServer::tpotMillis);
    }

    /// Returns the errors of the steady-state TTFT, or empty if none was measured.
    public static Optional<Errors> ofTtft(List<ModelledServer> servers) {
        return of(servers, measured -> measured.ttftMillis(), ModelledServer::ttftMillis);
    }

    /// Returns the errors of the TPOT of an unfitted roofline, or empty if none was measured.
    public static Optional<Errors> ofRooflineTpot(List<ModelledServer> servers) {
        return of(
                servers,
                measured -> measured.tpotMillis(),
                modelled -> modelled.server().measured().rooflineTpotMillis());
    }

    private static Optional<Errors> of(
            List<ModelledServer> servers,
            Function<MeasuredServer.Measured, OptionalDouble> measured,
            ToDoubleFunction<ModelledServer> predicted) {
        double[] errors = servers.stream()
                .flatMap(modelled -> {
                    OptionalDouble figure = measured.apply(modelled.server().measured());
                    return figure.isEmpty()
                            ? Stream.<Double>empty()
                            : Stream.of(100 * (predicted.applyAsDouble(modelled) / figure.getAsDouble() - 1));
                })
                .mapToDouble(Double::doubleValue)
                .toArray();
        return of(errors);
    }

    /// Returns the statistics of signed errors in percent, or empty if there are none.
    public static Optional<Errors> of(double... errors) {
        if (errors.length == 0) {
            return Optional.empty();
        }
        double[] sizes = errors.clone();
        for (int server = 0; server < sizes.length; server++) {
            sizes[server] = Math.abs(sizes[server]);
        }
        Distribution absolute = Distribution.of(sizes);
        return Optional.of(new Errors(
                errors.length,
                absolute.p50(),
                absolute.p90(),
                Distribution.of(errors).p50()));
    }
}
