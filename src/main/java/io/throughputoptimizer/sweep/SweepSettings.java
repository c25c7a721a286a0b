package io.throughputoptimizer.sweep;

import io.throughputoptimizer.job.JobSettings.Retention;
import java.time.Duration;

/// Settings of the execution and retention of sweeps.
///
/// @param workers maximum concurrent chunks in this process
/// @param unfinished maximum queued and running sweeps, on all replicas together
/// @param maximumCells maximum cells of a sweep
/// @param timeout maximum time of a cell
/// @param attempts maximum starts of a chunk that crashes the service
/// @param heartbeat interval of this replica's heartbeats
/// @param stopGrace time that running chunks have at shutdown
/// @param retention retention of finished sweeps
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
