package io.throughputoptimizer;

import io.throughputoptimizer.web.bound.AllowedHosts;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/// Settings of the service. An unknown or invalid one ends the start.
///
/// @param catalog a user's own devices, models and length distributions
/// @param hub where models are fetched from that the catalogue lacks
/// @param storage where the embedded database lies
/// @param jobs how many optimizations run and wait, and how large they may be
/// @param sweeps how large grids of optimizations may be, and how many threads search them
/// @param recovery what becomes of optimizations when a replica stops
/// @param retention which finished optimizations are kept
/// @param cache how many operators the plans of passes that are kept may have
/// @param http how much one caller may ask for
/// @param security who may call the service
@Validated
@ConfigurationProperties(prefix = "optimizer", ignoreUnknownFields = false)
record OptimizerProperties(
        @DefaultValue @Valid Catalog catalog,
        @DefaultValue @Valid Hub hub,
        @DefaultValue @Valid Storage storage,
        @DefaultValue @Valid Jobs jobs,
        @DefaultValue @Valid Sweeps sweeps,
        @DefaultValue @Valid Recovery recovery,
        @DefaultValue @Valid Retention retention,
        @DefaultValue @Valid Cache cache,
        @DefaultValue @Valid Http http,
        @DefaultValue @Valid @NestedConfigurationProperty SecurityProperties security) {
    /// A scheme and a host, perhaps with a port and a path.
    static final String ADDRESS = "https?://[^/?#@\\s]+(/[^?#\\s]*)?";

    OptimizerProperties {
        if (hub.url != null) {
            require("optimizer.hub.folder", hub.folder(storage), "be a writable folder", WritableFolder::isOrCanBe);
        }
    }

    /// Throws an exception that names the setting, its value and its rule, unless the rule holds.
    static <T> void require(String setting, @Nullable T value, String rule, Predicate<T> holds) {
        if (value != null && !holds.test(value)) {
            throw new IllegalArgumentException(setting + " must " + rule + ", got " + value + ".");
        }
    }

    /// Folders that are read at startup, in addition to the built-in catalog.
    ///
    /// @param devicesFolder device profiles, one YAML file each; default: none
    /// @param modelsFolder Hugging Face configurations named `Owner--Name.json`; default: none
    /// @param lengthDistributionsFolder length distributions, a YAML or JSON file with `bins` each; default: none
    record Catalog(
            @Nullable Path devicesFolder,
            @Nullable Path modelsFolder,
            @Nullable Path lengthDistributionsFolder) {
        Catalog {
            requireReadable("optimizer.catalog.devices-folder", devicesFolder);
            requireReadable("optimizer.catalog.models-folder", modelsFolder);
            requireReadable("optimizer.catalog.length-distributions-folder", lengthDistributionsFolder);
        }

        private static void requireReadable(String setting, @Nullable Path folder) {
            require(setting, folder, "be a readable folder", path -> Files.isDirectory(path) && Files.isReadable(path));
        }
    }

    /// @param url address of a hub with the layout of Hugging Face's; none by default
    /// @param folder folder of fetched configurations, which are not fetched again; default: `hub` in the folder of
    ///     the embedded database
    /// @param timeout timeout for fetching one configuration
    /// @param maximumSize maximum size of a configuration
    record Hub(
            @Pattern(
                    regexp = ADDRESS,
                    message = "must begin with https:// or http:// and have a host, no user, no query and no fragment")
            @Nullable
            String url,

            @Nullable Path folder,

            @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(minutes = 1)
            Duration timeout,

            @DefaultValue("8MB") @SizeRange(min = "1B", max = "10MB")
            DataSize maximumSize) {

        /// Returns the folder of fetched configurations.
        Path folder(Storage storage) {
            return folder == null ? Path.of(storage.inFull(), "hub") : folder;
        }
    }

    /// @param folder folder of the embedded database, made if missing; unused with another `spring.datasource.url`
    record Storage(
            @DefaultValue("./data")
            @Pattern(
                    regexp = "(\\.{1,2}/|~/|/|[A-Za-z]:[/\\\\])[^;]*",
                    message = "must be an absolute path or begin with ./, ../ or ~/, without a semicolon")
            String folder) {

        /// The folder with its home folder in full.
        String inFull() {
            return folder.startsWith("~") ? System.getProperty("user.home") + folder.substring(1) : folder;
        }
    }

    /// @param workers optimizations that run at the same time in one process
    /// @param queueCapacity maximum queued optimizations, on all replicas together
    /// @param searchParallelism threads that search layouts for all running optimizations, in addition to the one
    ///     that each has of its own; 0: as many as the machine has processors
    /// @param maximumPoints batch sizes that a search may have to try at the most; a larger one is refused
    /// @param promptTime processor time of a search whose answer is not kept; 0: all go through the queue
    /// @param timeout longest time a search may take
    /// @param maximumMemory maximum memory of a search, about 4 KB a row, 1 KB a point and 1 KB a layout; a search
    ///     that needs more fails. 0: a quarter of the heap, divided by the workers
    record Jobs(
            @DefaultValue("4") @Min(1) @Max(1_000) int workers,
            @DefaultValue("100") @Min(1) @Max(1_000_000) int queueCapacity,
            @DefaultValue("0") @Min(0) @Max(1_000) int searchParallelism,

            @DefaultValue("2500000") @Min(1) @Max(1_000_000_000_000L)
            long maximumPoints,

            @DefaultValue("3s") @DurationMin(millis = 0) @DurationMax(hours = 1)
            Duration promptTime,

            @DefaultValue("10m") @DurationMin(millis = 1) @DurationMax(days = 30)
            Duration timeout,

            @DefaultValue("0B") @SizeRange(min = "0B", max = "1TB")
            DataSize maximumMemory) {
        private static final int SHARE_OF_HEAP = 4;

        Jobs {
            long heap = Runtime.getRuntime().maxMemory();
            require(
                    "optimizer.jobs.maximum-memory",
                    maximumMemory,
                    "not exceed the heap, " + DataSize.ofBytes(heap).toMegabytes() + "MB",
                    size -> size.toBytes() <= heap);
        }

        /// What a search may keep, on a heap of that size.
        long memoryBytes(long heapBytes) {
            return maximumMemory.toBytes() > 0 ? maximumMemory.toBytes() : heapBytes / SHARE_OF_HEAP / workers;
        }
    }

    /// @param workers parts of sweeps that are searched at the same time in one process, each by one thread; 0: half as
    ///     many as the machine has processors, so that the others are left for optimizations
    /// @param capacity sweeps that may wait and run, on all replicas together
    /// @param maximumCells optimizations that one sweep may have
    /// @param count finished sweeps that are kept; the oldest beyond it are forgotten
    record Sweeps(
            @DefaultValue("0") @Min(0) @Max(1_000) int workers,
            @DefaultValue("20") @Min(1) @Max(100_000) int capacity,
            @DefaultValue("100000") @Min(1) @Max(10_000_000) int maximumCells,
            @DefaultValue("100") @Min(1) @Max(1_000_000) int count) {
        int threads() {
            return workers > 0 ? workers : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        }
    }

    /// @param attempts maximum starts of a search that crashes the service
    /// @param heartbeat interval of a replica's heartbeats; after four missing ones its optimizations start
    ///     elsewhere
    /// @param stopGrace time that running searches have at shutdown before they return to the queue
    record Recovery(
            @DefaultValue("4") @Min(1) @Max(1_000) int attempts,

            @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(hours = 1)
            Duration heartbeat,

            @DefaultValue("3s") @DurationMin(millis = 0) @DurationMax(hours = 1)
            Duration stopGrace) {}

    /// @param count finished optimizations that are kept; the oldest beyond it are forgotten
    /// @param age age at which finished optimizations are deleted
    record Retention(
            @DefaultValue("1000") @Min(1) @Max(10_000_000) int count,

            @DefaultValue("30d") @DurationMin(seconds = 1) @DurationMax(days = 36_500)
            Duration age) {}

    /// @param maximumOperators maximum operators of all cached passes, about 1 KB each
    record Cache(
            @DefaultValue("100000") @Min(0) @Max(1_000_000_000)
            long maximumOperators) {}

    /// @param allowedHosts names under which callers may address the service, besides loopback names and the address
    ///     that it is bound to; `*` for any
    /// @param maximumBody longest request body
    /// @param maximumConfig longest request body with a `model_config`: names of modules are what is beyond
    ///     `maximumBody`
    /// @param maximumBodies bytes of bodies that are held at a time, of all callers; 0: a sixteenth of the heap;
    ///     never less than two of the longest bodies
    /// @param maximumTrace longest trace of lengths
    /// @param maximumWait longest `Prefer: wait` that is honoured; more is cut to it
    /// @param maximumWaiting requests that may wait for an optimization at a time in one process, of all callers,
    ///     who share them; and as many event streams
    /// @param retryAfter advice to a caller who is turned away: because the database does not answer, or because
    ///     the queue is full and no optimization has succeeded yet from which the advice could be computed
    record Http(
            @DefaultValue List<String> allowedHosts,

            @DefaultValue("1MB") @SizeRange(min = "1B", max = "1GB")
            DataSize maximumBody,

            @DefaultValue("8MB") @SizeRange(min = "1B", max = "64MB")
            DataSize maximumConfig,

            @DefaultValue("0B") @SizeRange(min = "0B", max = "1TB")
            DataSize maximumBodies,

            @DefaultValue("50MB") @SizeRange(min = "1B", max = "1GB")
            DataSize maximumTrace,

            @DefaultValue("60s") @DurationMin(seconds = 0) @DurationMax(hours = 1)
            Duration maximumWait,

            @DefaultValue("1000") @Min(1) @Max(1_000_000) int maximumWaiting,

            @DefaultValue("2s") @DurationMin(millis = 100) @DurationMax(hours = 1)
            Duration keepAlive,

            @DefaultValue("5s") @DurationMin(seconds = 1) @DurationMax(hours = 1)
            Duration retryAfter) {
        Http {
            AllowedHosts.of(allowedHosts, "localhost");
        }

        /// What is made of a body takes several times its bytes.
        private static final int BODIES_OF_HEAP = 16;

        private static final int FEWEST_BODIES = 2;

        /// Returns the longest body with a model, which all bodies together are not shorter than.
        DataSize withModel(long heapBytes) {
            long held = bodies(heapBytes).toBytes();
            return DataSize.ofBytes(Math.max(maximumBody.toBytes(), Math.min(maximumConfig.toBytes(), held)));
        }

        /// Returns the limit of all bodies in memory, for a heap of the given size.
        DataSize bodies(long heapBytes) {
            long given = maximumBodies.toBytes() > 0 ? maximumBodies.toBytes() : heapBytes / BODIES_OF_HEAP;
            return DataSize.ofBytes(Math.max(given, FEWEST_BODIES * maximumBody.toBytes()));
        }
    }

    /// Test of write access to folders.
    static final class WritableFolder {
        private WritableFolder() {}

        /// Returns whether the folder is writable, or can be made. Writes a file to find out, because permissions do
        /// not show read-only file systems, and deletes it.
        static boolean isOrCanBe(Path folder) {
            Path there = nearest(folder.toAbsolutePath().normalize());
            if (there == null || !Files.isDirectory(there)) {
                return false;
            }
            try {
                Files.delete(Files.createTempFile(there, ".", ".tmp"));
                return true;
            } catch (IOException _) {
                return false;
            }
        }

        /// The folder, or the next one above it that is there.
        private static @Nullable Path nearest(Path folder) {
            Path there = folder;
            while (there != null && Files.notExists(there)) {
                there = there.getParent();
            }
            return there;
        }
    }
}
