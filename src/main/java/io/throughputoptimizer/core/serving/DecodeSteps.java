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

    /// Returns the decode steps of an instance. Unequal inputs or outputs make unequal requests.
    static DecodeSteps of(Deployment deployment, ServingTerms terms, InstancePasses passes) {
        return new DecodeSteps(
                passes,
                deployment.layout().dp(),
                terms.workload().isOfOneLength()
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
