package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthSamples;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decode steps of an instance: of equal requests, or of the classes that its batch holds in the steady state.
///
/// @param ranks number of data parallel ranks, which hold equal numbers of requests of each class
/// @param mix absent for equal requests
record DecodeSteps(
        InstancePasses passes, int ranks, @Nullable DecodeMix mix) {

    /// @param samples requests of one rank by class; empty where all are alike
    record Step(ForwardEstimate pass, List<LengthSamples> samples) {}

    /// Decode steps of a decode-only instance. Unequal inputs or outputs make unequal requests.
    static DecodeSteps alone(Deployment deployment, ServingTerms terms, InstancePasses passes) {
        return of(deployment, terms, passes, terms.workload().isOfOneLength());
    }

    /// Decode steps of an aggregated instance. With equal outputs the reference gives all requests the mean input.
    static DecodeSteps besidePrefill(Deployment deployment, ServingTerms terms, InstancePasses passes) {
        return of(deployment, terms, passes, terms.workload().outputs().sole().isPresent());
    }

    private static DecodeSteps of(Deployment deployment, ServingTerms terms, InstancePasses passes, boolean equal) {
        return new DecodeSteps(
                passes,
                deployment.layout().dp(),
                equal
                        ? null
                        : DecodeMix.of(terms.workload(), deployment.execution().decodeQueryLength()));
    }

    Step at(Load load) {
        if (mix == null) {
            return new Step(passes.decode(load.concurrency(), load), List.of());
        }
        List<LengthSamples> samples = mix.allocate(Math.ceilDiv(load.concurrency(), ranks));
        return new Step(passes.mixedDecode(samples), samples);
    }
}
