package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.SteadyFigures;
import org.jspecify.annotations.Nullable;

/// Instances on measured devices that serve together.
public sealed interface MeasuredInstances {

    Arrangement arrangement();

    /// An instance that decodes.
    SiliconDeployment decoding();

    /// Equal parts of the load, of which a law looks at one: ranks of replicas; 1 of pairs.
    int shares();

    /// Devices that work.
    int devices();

    /// Requests per second that the time of all steps suffices for.
    double sustainedPerSecond(SteadyFigures figures);

    /// Equal instances that do both phases.
    record Replicas(SiliconDeployment deployment, int count) implements MeasuredInstances {
        @Override
        public Arrangement arrangement() {
            return new Arrangement.Equal(deployment.form());
        }

        @Override
        public SiliconDeployment decoding() {
            return deployment;
        }

        /// Attention data parallel ranks of all replicas.
        @Override
        public int shares() {
            return count * deployment.layout().dp();
        }

        @Override
        public int devices() {
            return count * deployment.layout().deviceCount();
        }

        @Override
        public double sustainedPerSecond(SteadyFigures figures) {
            return figures.sustainedPerSecond() * shares();
        }
    }

    /// Prefill instances that feed decode instances.
    ///
    /// @param kinds of device
    /// @param prefill one instance that works on prompts
    /// @param decode one instance that generates
    /// @param handover what a request hands over; absent where that takes no time
    record Pair(
            Kinds kinds,
            SiliconDeployment prefill,
            SiliconDeployment decode,
            InstanceCounts counts,
            @Nullable Handover handover)
            implements MeasuredInstances {

        /// Prefill instances to decode instances.
        public double ratio() {
            return (double) counts.prefill() / counts.decode();
        }

        @Override
        public Arrangement.Pair arrangement() {
            return new Arrangement.Pair(prefill.form(), decode.form(), counts);
        }

        @Override
        public SiliconDeployment decoding() {
            return decode;
        }

        @Override
        public int shares() {
            return 1;
        }

        @Override
        public int devices() {
            return prefillDevices() + decodeDevices();
        }

        /// Of all prefill instances.
        int prefillDevices() {
            return counts.prefill() * prefill.layout().deviceCount();
        }

        /// Of all decode instances.
        int decodeDevices() {
            return counts.decode() * decode.layout().deviceCount();
        }

        /// Requests per second that the time of the steps of one prefill instance suffices for: `1000 / P` of each
        /// rank.
        public double prefillPerSecond(SteadyFigures figures) {
            return prefill.layout().dp() * 1000 / figures.steps().prefillMillis();
        }

        /// Requests per second that the time of the steps of one decode instance suffices for: `1000 b / (osl D)` of
        /// each rank.
        public double decodePerSecond(SteadyFigures figures) {
            return decode.layout().dp()
                    * 1000
                    * figures.steps().running()
                    / (figures.outputTokens() * figures.steps().decodeMillis());
        }

        /// The lesser of both sides.
        @Override
        public double sustainedPerSecond(SteadyFigures figures) {
            return Math.min(counts.prefill() * prefillPerSecond(figures), counts.decode() * decodePerSecond(figures));
        }
    }
}
