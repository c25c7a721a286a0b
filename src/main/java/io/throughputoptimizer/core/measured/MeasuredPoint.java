package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.SteadyFigures;
import org.jspecify.annotations.Nullable;

/// A layout at one concurrency: equal replicas that share the load.
///
/// @param figures of one rank
/// @param captured the same on an Ascend device whose launches are all for free; absent on other devices
public record MeasuredPoint(
        SiliconDeployment deployment,
        int replicas,
        SteadyFigures figures,
        @Nullable SteadyFigures captured,
        Bands bands)
        implements ServedPoint {

    /// Attention data parallel ranks of all replicas.
    public int ranks() {
        return replicas * deployment.layout().dp();
    }

    @Override
    public Arrangement arrangement() {
        return new Arrangement.Equal(deployment.layout());
    }

    @Override
    public int devices() {
        return replicas * deployment.layout().deviceCount();
    }

    public int rankConcurrency() {
        return (int) figures.concurrency();
    }

    @Override
    public Uncertain ttftMillis() {
        return uncertain().ttft();
    }

    @Override
    public Uncertain ttftBurstMillis() {
        return uncertain().ttftBurst();
    }

    @Override
    public Uncertain ttftSettledMillis() {
        return uncertain().ttftSettled();
    }

    @Override
    public Uncertain tpotMillis() {
        return uncertain().tpot();
    }

    @Override
    public Uncertain decodeMillis() {
        return uncertain().of(one -> one.steps().decodeMillis(), bands::ofTpot);
    }

    @Override
    public Uncertain prefillMillis() {
        return uncertain().of(one -> one.steps().prefillMillis(), bands::ofTtft);
    }

    @Override
    public Uncertain tokensPerSecond() {
        return uncertain().rate(one -> one.outputTokensPerSecond() * ranks());
    }

    @Override
    public Uncertain tokensPerSecondPerDevice() {
        return uncertain().rate(one -> one.outputTokensPerSecond() * ranks() / devices());
    }

    @Override
    public Uncertain requestsPerSecond() {
        return uncertain().rate(one -> one.requestsPerSecond() * ranks());
    }

    /// Requests per second of the deployment that the time of its steps suffices for.
    public double sustainedQps() {
        return figures.sustainedPerSecond() * ranks();
    }

    @Override
    public double running() {
        return figures.steps().running();
    }

    private UncertainFigures<SteadyFigures> uncertain() {
        return new UncertainFigures<>(figures, captured, bands);
    }
}
