package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import org.jspecify.annotations.Nullable;

/// Instances of a calibrated deployment.
public sealed interface CalibratedInstances {

    InstanceLayout arrangement();

    /// Returns an instance that decodes.
    CalibratedDeployment decoding();

    /// Returns the number of equal shares of the load, one of which a law evaluates: ranks of replicas; 1 for
    /// disaggregated instances.
    int shares();

    /// Returns the busy devices.
    int devices();

    /// Returns the requests per second that the step times sustain.
    double sustainedPerSecond(SteadyFigures figures);

    /// Equal aggregated instances.
    record Replicas(CalibratedDeployment deployment, int count) implements CalibratedInstances {
        @Override
        public InstanceLayout arrangement() {
            return new InstanceLayout.Equal(deployment.form());
        }

        @Override
        public CalibratedDeployment decoding() {
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
            CalibratedDeployment prefill,
            CalibratedDeployment decode,
            InstanceCounts counts,
            @Nullable Handover handover)
            implements CalibratedInstances {

        /// Returns the prefill instances per decode instance.
        public double ratio() {
            return (double) counts.prefill() / counts.decode();
        }

        @Override
        public InstanceLayout.Pair arrangement() {
            return new InstanceLayout.Pair(prefill.form(), decode.form(), counts);
        }

        @Override
        public CalibratedDeployment decoding() {
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
