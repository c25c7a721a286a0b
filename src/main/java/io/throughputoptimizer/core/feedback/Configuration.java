package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.kernels.PassSplit;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw.Batch;
import io.throughputoptimizer.core.load.SteadyLaw.Times;
import org.jspecify.annotations.Nullable;

/// Prediction of the calibrated model for one configuration of a server, with its sensitivity to the
/// calibration parameters.
@SuppressWarnings("EnumOrdinal") // arrays, because every concurrency that is tried fills some
final class Configuration {
    /// Step of numerical differentiation of logarithms.
    private static final double STEP = 1e-3;

    /// Minimum fraction of a step that remains under any calibration.
    private static final double LEAST = 0.2;

    private final ParallelLayout layout;
    private final boolean experts;
    private final Load load;
    private final PassSplit decode;
    private final PassSplit prefill;
    private final EngineSettings engine;
    private final boolean nearCapacity;
    private final double[] place;

    /// Load of a rank.
    ///
    /// @param concurrency outstanding requests, `B`
    /// @param batch requests of a step
    /// @param inputTokens mean prompt tokens
    /// @param outputTokens mean output tokens
    /// @param waves requests of the benchmark divided by its concurrency
    record Load(double concurrency, Batch batch, double inputTokens, double outputTokens, double waves) {}

    /// @param experts true if the model has routed experts
    /// @param decode duration of a decode step of the decoding requests at the mean context
    /// @param prefill duration of one prompt
    /// @param nearCapacity true if requests wait for the KV cache, or nearly do
    Configuration(
            ParallelLayout layout,
            boolean experts,
            Load load,
            PassSplit decode,
            PassSplit prefill,
            EngineSettings engine,
            boolean nearCapacity) {
        this.layout = layout;
        this.experts = experts;
        this.load = load;
        this.decode = decode;
        this.prefill = prefill;
        this.engine = engine;
        this.nearCapacity = nearCapacity;
        this.place =
                new double[] {Math.log(load.batch.running()), Math.log(load.inputTokens), Math.log(load.outputTokens)};
    }

    ParallelLayout layout() {
        return layout;
    }

    boolean hasExperts() {
        return experts;
    }

    boolean isNearCapacity() {
        return nearCapacity;
    }

    /// Returns the squared distance in logarithms of running requests and lengths.
    double squaredDistance(Configuration other) {
        double sum = 0;
        for (int axis = 0; axis < place.length; axis++) {
            double apart = place[axis] - other.place[axis];
            sum += apart * apart;
        }
        return sum;
    }

    /// Logarithms of both figures in the model, and their derivatives: `[metric]` and `[metric][parameter]`.
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares two.
    record Linear(double[] logs, double[][] slopes) {}

    /// Computes derivatives by forward differences from the model.
    Linear linear() {
        double[] model = logs(null);
        double[][] slopes = new double[Metric.values().length][Parameter.values().length];
        for (Parameter parameter : Parameter.values()) {
            double[] moved = logs(parameter);
            for (int metric = 0; metric < moved.length; metric++) {
                slopes[metric][parameter.ordinal()] = (moved[metric] - model[metric]) / STEP;
            }
        }
        return new Linear(model, slopes);
    }

    /// @param moved parameter one step away from 0; null for the model
    private double[] logs(@Nullable Parameter moved) {
        double collectives = factor(Parameter.COLLECTIVES, moved);
        double step = factor(Parameter.DECODE, moved)
                        * (decode.others()
                                + collectives * decode.collectives()
                                + factor(Parameter.EXPERTS, moved) * decode.experts())
                + (moved == Parameter.STEP_GAP ? STEP : 0)
                + (moved == Parameter.PER_REQUEST ? STEP * load.batch.decoding() / 1000 : 0);
        double prompt = factor(Parameter.PREFILL, moved)
                * (prefill.others() + collectives * prefill.collectives() + prefill.experts());
        EngineSettings frontend = moved == Parameter.FRONTEND
                ? engine.withFrontend(engine.frontendMillis() * factor(Parameter.FRONTEND, moved))
                : engine;
        SteadyFigures figures = new Times(prompt, 1, Math.max(step, LEAST * decode.millis()), load.outputTokens)
                .figures(load.concurrency, load.batch, load.waves, frontend, 1);
        return new double[] {
            Math.log(figures.tpotMillis()),
            Math.log(figures.ttft().benchmarkMillis()) + (moved == Parameter.TTFT ? STEP : 0)
        };
    }

    private static double factor(Parameter parameter, @Nullable Parameter moved) {
        return parameter == moved ? Math.exp(STEP) : 1;
    }
}
