package io.throughputoptimizer.job;

import static java.util.Objects.requireNonNullElse;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.job.ProgressMonitor.Work;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/// Observability of searches. Each search is an observation with a timer and, if tracing is enabled, a span.
/// Its log lines carry the job id. Thread-safe.
final class SearchTelemetry {
    private static final Logger log = LoggerFactory.getLogger(SearchTelemetry.class);
    private static final String SEARCH = "optimizer.search";
    private static final String JOB_ID = "job.id";
    private static final String OUTCOME = "outcome";
    private static final String UNKNOWN = "unknown";
    private static final String USUAL_COST_MODEL = "analytic";
    private static final String FAILED = "failed";

    /// Outcome of a search that continues elsewhere or later.
    private static final String RETURNED = "returned";

    private final ObservationRegistry observations;
    private final Work work = new Work();

    /// Tags of searches. Only these fields of a stored request are read here; the search itself validates the
    /// rest.
    private record Kind(@Nullable String mode, @Nullable String costModel) {
        static Kind of(JobRequest request) {
            Accepted accepted = request.accepted();
            if (accepted == null) {
                return WireFormat.readStored(request.json(), Kind.class);
            }
            OptimizationRequest effective = accepted.effective();
            return new Kind(WireFormat.name(effective.mode()), WireFormat.name(effective.costModel()));
        }
    }

    SearchTelemetry(MeterRegistry meters, ObservationRegistry observations) {
        this.observations = observations;
        count(meters, "optimizer.search.points", work.points(), "Batch sizes that searches have evaluated.");
        count(meters, "optimizer.search.passes", work.passes(), "Forward passes that searches have priced.");
    }

    private static void count(MeterRegistry meters, String name, LongAdder counted, String description) {
        FunctionCounter.builder(name, counted, LongAdder::sum)
                .description(description)
                .register(meters);
    }

    /// Creates a monitor for one more search.
    ///
    /// @param giveWay as that of the monitor
    ProgressMonitor newMonitor(Runnable giveWay) {
        return new ProgressMonitor(work, giveWay);
    }

    /// Runs a search under observation.
    ///
    /// @param search returns the final state; empty if it did not end here
    Optional<JobState> watch(UUID id, JobRequest request, Supplier<Optional<JobState>> search) {
        Observation observation = observation(id, request).start();
        String outcome = FAILED;
        try (var _ = MDC.putCloseable(JOB_ID, id.toString());
                var _ = observation.openScope()) {
            log.debug("search begins");
            Optional<JobState> end = search.get();
            outcome = end.map(JobState::status).map(WireFormat::name).orElse(RETURNED);
            log.atDebug().addKeyValue(OUTCOME, outcome).log("search ends");
            return end;
        } finally {
            observation.lowCardinalityKeyValue(OUTCOME, outcome).stop();
        }
    }

    private Observation observation(UUID id, JobRequest request) {
        Kind kind = Kind.of(request);
        return Observation.createNotStarted(SEARCH, observations)
                .contextualName("search")
                .lowCardinalityKeyValue("mode", requireNonNullElse(kind.mode(), UNKNOWN))
                .lowCardinalityKeyValue("cost_model", requireNonNullElse(kind.costModel(), USUAL_COST_MODEL))
                .highCardinalityKeyValue(JOB_ID, id.toString());
    }
}
