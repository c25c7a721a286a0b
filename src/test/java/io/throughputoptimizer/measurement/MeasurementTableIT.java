package io.throughputoptimizer.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.result.measurement.MeasurementResponse;
import io.throughputoptimizer.fixture.ManualClock;
import io.throughputoptimizer.fixture.TestDatabase;
import io.throughputoptimizer.job.JobIds;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.quota.CallerId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Sets of measurements in both databases, and in those that an earlier version made.
class MeasurementTableIT {
    private final JobIds ids = new JobIds(java.time.Clock.systemUTC());
    private @Nullable HikariDataSource database;

    @AfterEach
    void close() {
        if (database != null) {
            database.close();
        }
    }

    private MeasurementTable open(TestDatabase kind) {
        HikariDataSource opened = kind.newMigrated();
        database = opened;
        return new MeasurementTable(JdbcClient.create(opened));
    }

    private MeasurementResponse set(Instant at) {
        return new MeasurementResponse(
                ids.next().toString(),
                at,
                "rows",
                new MeasurementResponse.GroupResponse("Qwen/Qwen3-32B", "FP8", "fp8", "H100_SXM", "vllm", "0.11.0"),
                java.util.Map.of("model_type", "qwen3"),
                WireFormat.read("{\"scheme\": \"FP8\"}", QuantizationRequest.class),
                WireFormat.read("{\"backend\": \"vllm\"}", EngineRequest.class),
                CostModelName.CALIBRATED,
                true,
                null,
                0,
                new MeasurementResponse.ErrorsResponse(3.5, null, null),
                null,
                List.of());
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aSetIsReadAsItWasStored(TestDatabase kind) {
        MeasurementTable table = open(kind);
        MeasurementResponse set = set(Instant.parse("2026-11-23T08:00:00.123Z"));
        table.add(set, "key:ann", CallerId.ofOwner("key:ann"));

        UUID id = UUID.fromString(set.id());
        assertThat(table.find(id)).contains(set);
        assertThat(table.standing(id)).contains(new MeasurementTable.Standing(id, "key:ann"));
        assertThat(table.list("key:ann", null, 10).entries()).containsExactly(set.brief());
        assertThat(table.list("key:bob", null, 10).entries()).isEmpty();
        table.remove(id);
        assertThat(table.find(id)).isEmpty();
        assertThat(table.standing(id)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void pagesGoOnWhereTheLastEnded(TestDatabase kind) {
        MeasurementTable table = open(kind);
        List<MeasurementResponse> sets = java.util.stream.Stream.generate(() -> set(Instant.EPOCH))
                .limit(5)
                .toList();
        sets.forEach(set -> table.add(set, null, CallerId.UNKNOWN));

        Page<MeasurementResponse> first = table.list(null, null, 2);
        Page<MeasurementResponse> second = table.list(null, first.next(), 2);
        Page<MeasurementResponse> last = table.list(null, second.next(), 2);
        assertThat(first.entries())
                .extracting(MeasurementResponse::id)
                .containsExactly(sets.get(4).id(), sets.get(3).id());
        assertThat(last.entries())
                .extracting(MeasurementResponse::id)
                .containsExactly(sets.get(0).id());
        assertThat(last.next()).isNull();
    }

    /// By age, and beyond a number those of whoever has the most.
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void setsAreForgottenAsJobsAre(TestDatabase kind) {
        MeasurementTable table = open(kind);
        Instant now = new ManualClock().instant();
        table.add(set(now.minus(Duration.ofDays(2))), "key:old", CallerId.ofOwner("key:old"));
        for (int i = 0; i < 6; i++) {
            table.add(set(now), "key:ann", CallerId.ofOwner("key:ann"));
        }
        table.add(set(now), null, CallerId.ofAddress("192.0.2.1"));
        table.add(set(now), null, CallerId.ofAddress("192.0.2.2"));

        assertThat(table.all().removeBefore(now.minus(Duration.ofDays(1)))).isEqualTo(1);
        assertThat(table.all().removeBeyond(8)).isZero();
        assertThat(table.all().removeBeyond(4)).isEqualTo(4);
        assertThat(table.list("key:ann", null, 10).entries()).hasSize(2);
        assertThat(table.list(null, null, 10).entries()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aDamagedSetHidesNoOther(TestDatabase kind) {
        MeasurementTable table = open(kind);
        MeasurementResponse good = set(Instant.EPOCH);
        MeasurementResponse bad = set(Instant.EPOCH);
        table.add(good, null, CallerId.UNKNOWN);
        table.add(bad, null, CallerId.UNKNOWN);
        JdbcClient.create(java.util.Objects.requireNonNull(database))
                .sql("UPDATE measurement_set SET summary = :none WHERE id = :id")
                .param("none", new byte[] {1, 2, 3})
                .param("id", UUID.fromString(bad.id()))
                .update();

        assertThat(table.list(null, null, 10).entries()).containsExactly(good.brief());
    }

    /// As a service finds them that ran before there were measurements.
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void aDatabaseOfTheEighthSchemaTakesThem(TestDatabase kind) {
        HikariDataSource old = TestDatabase.connect(kind.newUrl());
        database = old;
        kind.migration(old, "8").migrate();
        kind.migration(old, "latest").migrate();
        MeasurementTable table = new MeasurementTable(JdbcClient.create(old));

        table.add(set(Instant.EPOCH), null, CallerId.UNKNOWN);

        assertThat(table.list(null, null, 10).entries()).hasSize(1);
    }
}
