package io.throughputoptimizer.sweep;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.sweep.SweepResponse;
import io.throughputoptimizer.api.sweep.SweepResponse.SweepProgress;
import io.throughputoptimizer.job.Admission;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.Origin;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An accepted sweep, without its request.
///
/// @param name null if nobody named it
/// @param chunkCells cells of a chunk; of the last one fewer
/// @param origin submitter of the sweep
public record Sweep(
        Standing standing,
        @Nullable String name,
        Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        int chunkCells,
        Origin origin,
        @Nullable Problem problem)
        implements Admission.Job {
    private static final int CHECK = -1;

    /// The state of a sweep that changes while it waits and runs.
    ///
    /// @param id orders sweeps by submission
    @Schema(name = "SweepStanding")
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

    /// Returns the entry of the cells' validation, or if they are validated those of all chunks.
    @Override
    public List<String> entries() {
        return standing.progress.checked() == cells() ? chunkEntries() : List.of(entry(CHECK));
    }

    List<String> chunkEntries() {
        return IntStream.range(0, chunks()).mapToObj(this::entry).toList();
    }

    /// Returns the name of a chunk in the queue: it begins with the id, and sorts by the number.
    private String entry(int chunk) {
        return "%s:%08d".formatted(id(), chunk);
    }

    /// Returns the number of the chunk of an entry, or empty for the validation.
    static OptionalInt chunk(String entry) {
        int number = Integer.parseInt(entry.substring(entry.indexOf(':') + 1));
        return number == CHECK ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /// Returns the numbers of the cells of a chunk.
    int[] cells(int chunk) {
        int first = chunk * chunkCells;
        return IntStream.range(first, Math.min(cells(), first + chunkCells)).toArray();
    }

    /// Returns the cells of a chunk: so few that all replicas have some, and a sweep of few fills in one by one.
    static int chunkCells(int cells) {
        return Math.clamp(Math.ceilDiv(cells, 64), 1, 100);
    }

    /// Returns the sweep as the API shows it.
    public SweepResponse response() {
        return new SweepResponse(
                standing.id,
                name,
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
