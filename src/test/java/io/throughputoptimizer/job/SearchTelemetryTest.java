package io.throughputoptimizer.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.throughputoptimizer.api.job.JobProgress;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class SearchTelemetryTest {
    private static final UUID ID = UUID.randomUUID();
    private static final JobRequest PREFILL = JobRequest.stored("{\"mode\":\"disaggregation\",\"num_devices\":2}");
    private static final JobRequest CALIBRATED =
            JobRequest.stored("{\"mode\":\"pd_ratio\",\"cost_model\":\"calibrated\"}");
    private static final JobState CANCELLED =
            new JobState.Cancelled(Instant.EPOCH, Instant.EPOCH, new JobProgress(0, null, 0));

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final SearchTelemetry telemetry = new SearchTelemetry(meters, observations);

    SearchTelemetryTest() {
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    }

    @Test
    void whatASearchLogsCarriesTheIdOfItsJob() {
        telemetry.watch(ID, PREFILL, () -> {
            assertThat(MDC.get("job.id")).isEqualTo(ID.toString());
            return Optional.empty();
        });
        assertThat(MDC.get("job.id")).isNull();
    }

    @Test
    void aRunningSearchIsKnownByItsModeAndCostModel() {
        telemetry.watch(ID, CALIBRATED, () -> {
            assertThat(meters.get("optimizer.search.active")
                            .tags("mode", "pd_ratio", "cost_model", "calibrated")
                            .longTaskTimer()
                            .activeTasks())
                    .isEqualTo(1);
            return Optional.empty();
        });
    }

    @Test
    void searchesAreTimedByHowTheyEnded() {
        telemetry.watch(ID, PREFILL, () -> Optional.of(CANCELLED));
        telemetry.watch(ID, PREFILL, Optional::empty);
        telemetry.watch(ID, PREFILL, Optional::empty);
        try {
            telemetry.watch(ID, PREFILL, () -> {
                throw new IllegalStateException("told by the test");
            });
        } catch (IllegalStateException _) {
            assertThat(count("failed")).isEqualTo(1);
        }

        assertThat(count("cancelled")).isEqualTo(1);
        assertThat(count("returned")).isEqualTo(2);
    }

    @Test
    void pointsAndPassesOfAllSearchesAreCounted() {
        ProgressMonitor first = telemetry.newMonitor(() -> {});
        ProgressMonitor second = telemetry.newMonitor(() -> {});
        first.pointEvaluated();
        second.pointEvaluated();
        second.passPriced();

        assertThat(counted("optimizer.search.points")).isEqualTo(2);
        assertThat(counted("optimizer.search.passes")).isEqualTo(1);
        assertThat(first.progress().points()).isEqualTo(1);
    }

    private long count(String outcome) {
        return meters.get("optimizer.search")
                .tags("mode", "disaggregation", "cost_model", "analytic", "outcome", outcome)
                .timer()
                .count();
    }

    private double counted(String name) {
        return meters.get(name).functionCounter().count();
    }
}
