package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.forward.ForwardEstimate;

/// Grouping of equal requests into prefill passes, and the choice of passes that are priced.
public enum WavePolicy {
    /// The budget does not bind prompts of one chunk, which a disaggregated instance prefills all at once. A full wave
    /// is priced though none may run, and passes that do not fit in memory like others.
    AS_PLANNED {
        @Override
        boolean pricesFullWave(long fullWaves) {
            return true;
        }

        @Override
        boolean givesUpAfter(ForwardEstimate pass) {
            return false;
        }

        @Override
        long size(long concurrency, long instanceTokenBudget, int chunks, int queryLength) {
            return chunks == 1 ? concurrency : Math.max(instanceTokenBudget / queryLength, 1);
        }
    },

    /// The budget binds prompts of one chunk too. Nothing more is priced after a pass that does not fit in memory, nor
    /// a wave that does not run.
    AS_RUN {
        @Override
        boolean pricesFullWave(long fullWaves) {
            return fullWaves > 0;
        }

        @Override
        boolean givesUpAfter(ForwardEstimate pass) {
            return pass.memory().availableBytes() < 0;
        }

        @Override
        long size(long concurrency, long instanceTokenBudget, int chunks, int queryLength) {
            return Math.max(instanceTokenBudget / queryLength, 1);
        }
    };

    /// Returns whether an aggregated instance with `fullWaves` full waves prices the pass of one.
    abstract boolean pricesFullWave(long fullWaves);

    /// Returns whether evaluation of a point ends at this pass because it does not fit in memory.
    abstract boolean givesUpAfter(ForwardEstimate pass);

    /// Requests that a disaggregated instance prefills in the same pass, of `concurrency` in all.
    ///
    /// @param instanceTokenBudget tokens that all ranks together compute in one pass
    /// @param chunks pieces that a prompt is cut into
    /// @param queryLength tokens of the piece in question
    abstract long size(long concurrency, long instanceTokenBudget, int chunks, int queryLength);
}
