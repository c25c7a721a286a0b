package io.throughputoptimizer.sweep;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.PhaseResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse;
import io.throughputoptimizer.api.sweep.SweepCellResponse.NearestResponse;
import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.job.JobProblems;
import io.throughputoptimizer.job.RunOptimization;
import io.throughputoptimizer.report.BestRecords;
import io.throughputoptimizer.report.Findings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Validates and searches the cells of sweeps, each as a separate request. Thread-safe.
public final class SweepCells {
    private static final Logger log = LoggerFactory.getLogger(SweepCells.class);
    private static final String NOTHING = "no plan is feasible";
    private static final Comparator<NearestResponse> NEAREST =
            Comparator.comparing(NearestResponse::ofLimit, Comparator.nullsLast(Comparator.naturalOrder()));

    private final RequestValidator validator;
    private final ProblemReader problems;
    private final RunOptimization search;
    private final Function<@Nullable String, MeasurementSets> sets;
    private final Duration timeout;

    /// @param sets sets of measurements that cells of an owner can name
    /// @param timeout maximum time of the search of a cell, for error messages
    public SweepCells(
            RequestValidator validator,
            ProblemReader problems,
            RunOptimization search,
            Function<@Nullable String, MeasurementSets> sets,
            Duration timeout) {
        this.validator = validator;
        this.problems = problems;
        this.search = search;
        this.sets = sets;
        this.timeout = timeout;
    }

    /// Measurements that cells of an owner may name.
    MeasurementSets sets(@Nullable String owner) {
        return sets.apply(owner);
    }

    /// Broken rules of a cell's question, as rules of the sweep.
    List<Violation> judge(SweepGrid grid, int cell, MeasurementSets sets) {
        try {
            accept(grid, cell, sets);
            return List.of();
        } catch (InvalidRequestException e) {
            return e.violations().stream()
                    .map(broken -> grid.violation(cell, broken))
                    .toList();
        }
    }

    /// Reads and judges the question of a cell.
    ///
    /// @param sets sets of measurements that the caller can name
    /// @throws InvalidRequestException if it is no valid one
    ProblemReader.Accepted accept(SweepGrid grid, int cell, MeasurementSets sets) {
        WireFormat.Parsed<OptimizationRequest> asked = WireFormat.parse(
                WireFormat.Syntax.JSON, grid.request(cell).getBytes(StandardCharsets.UTF_8), OptimizationRequest.class);
        OptimizationRequest request = problems.resolved(asked.value(), asked.given());
        validator.check(request);
        refuse(request.explained(), "/explain");
        refuse(request.dumpOriginalResults(), "/dump_original_results");
        return problems.accept(request, sets);
    }

    private static void refuse(boolean asked, String pointer) {
        if (asked) {
            throw new InvalidRequestException(pointer, "must be false in a sweep");
        }
    }

    /// Searches a cell.
    ///
    /// @param chunk monitor of the chunk
    /// @throws CancellationException if the chunk is stopped
    SweepCellResponse search(SweepGrid grid, int cell, MeasurementSets sets, SearchMonitor chunk) {
        Map<String, Object> coordinates = grid.coordinates(cell);
        long startedAt = System.nanoTime();
        SearchMonitor monitor = new SearchMonitor() {
            @Override
            public boolean cancelled() {
                return chunk.cancelled() || System.nanoTime() - startedAt > timeout.toNanos();
            }
        };
        try {
            ProblemReader.Accepted accepted = accept(grid, cell, sets);
            ResultResponse result = search.answer(accepted.problem(), monitor);
            return row(cell, coordinates, accepted.effective(), result);
        } catch (InvalidRequestException e) {
            return SweepCellResponse.invalid(cell, coordinates, e.violations());
        } catch (CancellationException e) {
            if (chunk.cancelled()) {
                throw e;
            }
            return SweepCellResponse.failed(cell, coordinates, JobProblems.timedOut(timeout));
        } catch (SearchMemoryException e) {
            return SweepCellResponse.failed(cell, coordinates, JobProblems.tooMuchToKeep(e.maximumBytes()));
        } catch (OutOfMemoryError e) {
            log.error("cell {} ran out of memory", coordinates, e);
            return SweepCellResponse.failed(cell, coordinates, JobProblems.outOfMemory());
        } catch (RuntimeException | StackOverflowError e) {
            log.error("cell {} failed", coordinates, e);
            return SweepCellResponse.failed(cell, coordinates, JobProblems.internal());
        }
    }

    /// A cell that no search was made for.
    static SweepCellResponse failed(SweepGrid grid, int cell, Problem problem) {
        return SweepCellResponse.failed(cell, grid.coordinates(cell), problem);
    }

    private static SweepCellResponse row(
            int cell, Map<String, Object> coordinates, OptimizationRequest effective, ResultResponse result) {
        List<Map<String, Object>> best = BestRecords.of(new Findings(effective, result));
        if (!best.isEmpty()) {
            return SweepCellResponse.answered(cell, coordinates, best);
        }
        NearestResponse nearest = nearest(result).orElse(null);
        return SweepCellResponse.nothing(cell, coordinates, nearest, why(result.capacity(), nearest));
    }

    private static Optional<NearestResponse> nearest(ResultResponse result) {
        return result.devices().stream()
                .flatMap(device -> device.phases().stream()
                        .filter(phase -> phase.rows().isEmpty())
                        .flatMap(phase -> phase.rejected().stream().map(rejected -> nearest(device, phase, rejected))))
                .min(NEAREST);
    }

    private static NearestResponse nearest(DeviceResponse device, PhaseResponse phase, RejectedResponse rejected) {
        Double ofLimit = rejected.ofLimit();
        return new NearestResponse(
                device.device(),
                phase.phase().wireName(),
                rejected.parallel().label(),
                rejected.reason(),
                rejected.detail(),
                ofLimit == null || !Double.isFinite(ofLimit) ? null : ofLimit);
    }

    private static String why(@Nullable CapacityResponse capacity, @Nullable NearestResponse nearest) {
        if (capacity != null && capacity.shortfalls() != null) {
            return capacity.shortfalls().stream()
                    .flatMap(shortfall -> shortfall.advice().stream())
                    .collect(Collectors.joining(" "));
        }
        return nearest == null
                ? NOTHING
                : nearest.device() + ", " + nearest.phase() + ", " + nearest.parallel() + ": " + nearest.detail();
    }
}
