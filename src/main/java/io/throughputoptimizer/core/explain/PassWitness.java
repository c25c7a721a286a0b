package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Estimates passes and records the longest one of each phase. Not thread-safe; one instance per deployment.
final class PassWitness implements ForwardEstimator {
    private final AnalyticForwardEstimator estimator;
    private @Nullable Seen prefill;
    private @Nullable Seen decode;

    private record Seen(ForwardShape shape, double millis) {}

    PassWitness(AnalyticForwardEstimator estimator) {
        this.estimator = estimator;
    }

    @Override
    public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
        ForwardEstimate estimate = estimator.estimate(deployment, shape);
        if (decodes(shape)) {
            decode = longer(decode, shape, estimate);
        } else {
            prefill = longer(prefill, shape, estimate);
        }
        return estimate;
    }

    List<PassProfile> profiles(Deployment deployment) {
        List<PassProfile> profiles = new ArrayList<>();
        profile(deployment, prefill, false).ifPresent(profiles::add);
        profile(deployment, decode, true).ifPresent(profiles::add);
        return profiles;
    }

    private Optional<PassProfile> profile(Deployment deployment, @Nullable Seen seen, boolean decodes) {
        return Optional.ofNullable(seen).map(pass -> PassProfile.of(estimator.price(deployment, pass.shape), decodes));
    }

    private static Seen longer(@Nullable Seen before, ForwardShape shape, ForwardEstimate estimate) {
        return before != null && before.millis >= estimate.latencyMillis()
                ? before
                : new Seen(shape, estimate.latencyMillis());
    }

    private static boolean decodes(ForwardShape shape) {
        return switch (shape) {
            case ForwardShape.Uniform uniform -> uniform.request().decode();
            case ForwardShape.RequestList list ->
                list.groups().stream().allMatch(group -> group.request().decode());
        };
    }
}
