package io.throughputoptimizer.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.sweep.SweepProgress;
import io.throughputoptimizer.api.sweep.SweepResponse;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.Origin;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An accepted sweep, without its request.
///
/// @param chunkCells cells of a chunk; of the last one fewer
/// @param origin submitter of the sweep
public record Sweep(
        Standing standing,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        int chunkCells,
        Origin origin,
        @Nullable Problem problem) {

    /// The state of a sweep that changes while it waits and runs.
    ///
    /// @param id orders sweeps by submission
    @Schema(name = "SweepStanding", description = "What changes while a sweep waits and runs.")
    public record Standing(UUID id, JobStatus status, SweepProgress progress) implements JobEvents.Standing {}

    public UUID id() {
        return standing.id;
    }

    public boolean isFinished() {
        return standing.status.isFinished();
    }

    public int cells() {
        return standing.progress.cells();
    }

    int chunks() {
        return Math.ceilDiv(cells(), chunkCells);
    }

    /// Returns the sweep as the API shows it.
    public SweepResponse response() {
        return new SweepResponse(
                standing.id,
                standing.status,
                standing.progress,
                submittedAt,
                startedAt,
                finishedAt,
                null,
                null,
                null,
                problem);
    }
}
