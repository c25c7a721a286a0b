package io.throughputoptimizer.sweep;

import io.throughputoptimizer.job.JobSettings.Retention;
import java.time.Duration;

/// How sweeps are run and kept.
///
/// @param workers chunks that are worked on in this process at the same time
/// @param unfinished sweeps that may wait and run, on all replicas together
/// @param maximumCells of one sweep
/// @param timeout longest time that a cell may take
/// @param attempts how often a chunk is started that the service does not survive
/// @param heartbeat how often this replica shows that it lives
/// @param stopGrace how long running chunks may go on when the service stops
/// @param retention which finished sweeps are kept
public record SweepSettings(
        int workers,
        int unfinished,
        int maximumCells,
        Duration timeout,
        int attempts,
        Duration heartbeat,
        Duration stopGrace,
        Retention retention) {

    /// Cells of a chunk: so few that all replicas have some, and a sweep of few fills in one by one.
    static int chunkCells(int cells) {
        return Math.clamp(Math.ceilDiv(cells, 64), 1, 100);
    }
}
