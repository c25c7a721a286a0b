package io.throughputoptimizer;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/// Settings of the service. A value out of range stops the start.
///
/// @param catalog a user's own devices and models
/// @param jobs how many optimizations run, wait and are remembered
/// @param cache how many forward estimates are remembered
/// @param http how much one caller may ask for
@Validated
@ConfigurationProperties("optimizer")
record OptimizerProperties(
        @DefaultValue @Valid Catalog catalog,
        @DefaultValue @Valid Jobs jobs,
        @DefaultValue @Valid Cache cache,
        @DefaultValue @Valid Http http) {

    /// Folders that are read at the start, besides the built-in catalogue.
    ///
    /// @param devicesFolder device profiles, one YAML file each; default: none
    /// @param modelsFolder Hugging Face configurations named `Owner--Name.json`; default: none
    record Catalog(@Nullable Path devicesFolder, @Nullable Path modelsFolder) {}

    /// @param workers optimizations that run at the same time
    /// @param queueCapacity optimizations that may wait besides
    /// @param retained finished optimizations that are remembered; the oldest beyond it are forgotten
    /// @param searchParallelism layouts of one optimization that are searched at the same time; 0: as many as the
    ///     machine has processors
    record Jobs(
            @DefaultValue("2") @Min(1) @Max(1_000) int workers,
            @DefaultValue("100") @Min(1) @Max(1_000_000) int queueCapacity,
            @DefaultValue("1000") @Min(1) @Max(1_000_000) int retained,
            @DefaultValue("0") @Min(0) @Max(1_000) int searchParallelism) {}

    /// @param maximumEstimates forward estimates that are remembered, about 1 KB each
    record Cache(@DefaultValue("100000") @Min(0) long maximumEstimates) {}

    /// @param maximumBody longest request body
    /// @param maximumWait longest `Prefer: wait` that is honoured; more is cut to it
    /// @param retryAfter advice to a caller who is turned away because the queue is full
    record Http(
            @DefaultValue("1MB") DataSize maximumBody,

            @DefaultValue("60s") @DurationMin(seconds = 0) @DurationMax(hours = 1)
            Duration maximumWait,

            @DefaultValue("5s") @DurationMin(seconds = 1) @DurationMax(hours = 1)
            Duration retryAfter) {
        private static final DataSize LARGEST_BODY = DataSize.ofGigabytes(1);

        Http {
            if (maximumBody.toBytes() < 1 || maximumBody.compareTo(LARGEST_BODY) > 0) {
                throw new IllegalArgumentException(
                        "optimizer.http.maximum-body is " + maximumBody + ": 1B to 1GB is needed");
            }
        }
    }
}
