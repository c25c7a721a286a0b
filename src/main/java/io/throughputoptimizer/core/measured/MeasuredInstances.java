package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.SteadyFigures;
import org.jspecify.annotations.Nullable;

/// Instances of a calibrated deployment.
public sealed interface MeasuredInstances {

    Arrangement arrangement();

    /// Returns an instance that decodes.
    SiliconDeployment decoding();

    /// Returns the number of equal shares of the load, one of which a law evaluates: ranks of replicas; 1 for
    /// disaggregated instances.
    int shares();

    /// Returns the busy devices.
    int devices();

    /// Returns the requests per second that the step times sustain.
    double sustainedPerSecond(SteadyFigures figures);

    /// Equal aggregated instances.
    record Replicas(SiliconDeployment deployment, int count) implements MeasuredInstances {
        @Override
        public Arrangement arrangement() {
            return new Arrangement.Equal(deployment.form());
        }

        @Override
        public SiliconDeployment decoding() {
            return deployment;
        }

        /// Returns the attention data parallel ranks of all replicas.
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

    /// Disaggregated prefill and decode instances.
    ///
    /// @param kinds kinds of device
    /// @param prefill one prefill instance
    /// @param decode one decode instance
    /// @param handover KV transfer of a request; absent if it takes no time
    record Pair(
            Kinds kinds,
            SiliconDeployment prefill,
            SiliconDeployment decode,
            InstanceCounts counts,
            @Nullable Handover handover)
            implements MeasuredInstances {

        /// Returns the prefill instances per decode instance.
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

        /// Returns the devices of all prefill instances.
        int prefillDevices() {
            return counts.prefill() * prefill.layout().deviceCount();
        }

        /// Returns the devices of all decode instances.
        int decodeDevices() {
            return counts.decode() * decode.layout().deviceCount();
        }

        /// Returns the requests per second that the step times of one prefill instance sustain: `1000 / P` of
        /// each rank.
        public double prefillPerSecond(SteadyFigures figures) {
            return prefill.layout().dp() * 1000 / figures.steps().prefillMillis();
        }

        /// Returns the requests per second that the step times of one decode instance sustain: `1000 b / (osl
        /// D)` of each rank.
        public double decodePerSecond(SteadyFigures figures) {
            return decode.layout().dp()
                    * 1000
                    * figures.steps().running()
                    / (figures.outputTokens() * figures.steps().decodeMillis());
        }

        /// Returns the lesser rate of both phases.
        @Override
        public double sustainedPerSecond(SteadyFigures figures) {
            return Math.min(counts.prefill() * prefillPerSecond(figures), counts.decode() * decodePerSecond(figures));
        }
    }
}
