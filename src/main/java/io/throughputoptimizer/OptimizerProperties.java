package io.throughputoptimizer;

import io.throughputoptimizer.web.bound.AllowedHosts;
import io.throughputoptimizer.web.description.DevicePrices;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
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
/// @param mcp endpoint for agents
/// @param prices prices of devices, for the costs that the dashboard shows
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
        @DefaultValue Mcp mcp,
        @DefaultValue @Valid Prices prices,
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

    /// @param currency label of the prices
    /// @param perDeviceHour price of a device-hour by device, such as `H100_SXM:2.5, B200_SXM:4`
    record Prices(
            @DefaultValue("USD") @Pattern(regexp = "\\S{1,8}", message = "must have 1 to 8 characters and no space")
            String currency,

            @DefaultValue
            List<
                            @Pattern(
                                    regexp = "[^:\\s]+:\\d{1,9}(\\.\\d{1,6})?",
                                    message = "must be DEVICE:PRICE, such as H100_SXM:2.5")
                            String>
                    perDeviceHour) {

        /// Returns the prices by device.
        DevicePrices byDevice() {
            return new DevicePrices(
                    currency,
                    perDeviceHour.stream()
                            .map(price -> price.split(":", 2))
                            .collect(Collectors.toMap(
                                    price -> price[0],
                                    price -> new BigDecimal(price[1]),
                                    (first, second) -> second,
                                    TreeMap::new)));
        }
    }

    /// Folders that are read at startup, in addition to the built-in catalog.
    ///
    /// @param devicesFolder folder of additional device profiles, one YAML file each
    /// @param modelsFolder folder of additional models: Hugging Face configurations named
    ///     `Owner--Name.json`
    /// @param lengthDistributionsFolder folder of additional length distributions: YAML or JSON files with
    ///     `bins`, named after their file
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

    /// @param url address of a model hub with the layout of Hugging Face's, such as
    ///     `https://huggingface.co`; models missing in the catalog are fetched from it
    /// @param folder folder of fetched configurations, which are not fetched again; default: `hub` in
    ///     `optimizer.storage.folder`
    /// @param timeout timeout for fetching one configuration, at most 1m
    /// @param maximumSize maximum size of a configuration, at most 10MB
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

    /// @param folder folder of the embedded database, created if missing: an absolute path, or one that
    ///     begins with `./`, `../` or `~/`; unused with another `spring.datasource.url`
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
    /// @param queueCapacity maximum queued optimizations, on all replicas together; beyond it requests get
    ///     429
    /// @param searchParallelism threads that search layouts for all running optimizations, in addition to
    ///     one thread per optimization; 0: number of processors
    /// @param maximumPoints maximum batch sizes that one search tries; beyond it `analytic` requests get
    ///     400, `calibrated` searches sample concurrencies
    /// @param promptTime maximum processor time of a search that is not stored, up to 1h; 0: such searches
    ///     are disabled
    /// @param timeout maximum duration of a search
    /// @param maximumMemory maximum heap for the results of one search, about 4 KB per row, 1 KB per point
    ///     and 1 KB per layout; beyond it the job fails with `memory-budget`; 0: a quarter of the heap
    ///     divided by the workers
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

        /// Memory of a search, on a heap of that size.
        long memoryBytes(long heapBytes) {
            return maximumMemory.toBytes() > 0 ? maximumMemory.toBytes() : heapBytes / SHARE_OF_HEAP / workers;
        }
    }

    /// @param workers threads that search the cells of sweeps in one process; 0: half the processors
    /// @param capacity maximum unfinished sweeps, on all replicas together; beyond it requests get 429
    /// @param maximumCells maximum cells of one sweep
    /// @param count maximum finished sweeps; beyond it the oldest of the caller with the most are deleted
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
    /// @param heartbeat interval of a replica's heartbeats; after four missing ones its jobs start
    ///     elsewhere
    /// @param stopGrace time that running searches have at shutdown before they return to the queue
    record Recovery(
            @DefaultValue("4") @Min(1) @Max(1_000) int attempts,

            @DefaultValue("5s") @DurationMin(millis = 100) @DurationMax(hours = 1)
            Duration heartbeat,

            @DefaultValue("3s") @DurationMin(millis = 0) @DurationMax(hours = 1)
            Duration stopGrace) {}

    /// @param count maximum finished optimizations; beyond it the oldest of the caller with the most are
    ///     deleted, starred ones last
    /// @param age age at which finished optimizations without a star are deleted
    record Retention(
            @DefaultValue("1000") @Min(1) @Max(10_000_000) int count,

            @DefaultValue("30d") @DurationMin(seconds = 1) @DurationMax(days = 36_500)
            Duration age) {}

    /// @param maximumOperators maximum operators of all cached forward passes, about 1 KB each
    record Cache(
            @DefaultValue("100000") @Min(0) @Max(1_000_000_000)
            long maximumOperators) {}

    /// @param allowedHosts host names without port under which the service responds, in addition to
    ///     loopback names and the bound address; other hosts get 421; `*` allows any
    /// @param allowedOrigins origins of other web sites whose pages can call the service
    /// @param maximumBody maximum size of a request body; beyond it requests get 413
    /// @param maximumConfig maximum size of a JSON body with `model_config`; beyond `maximum-body` only
    ///     names of quantized modules count
    /// @param maximumBodies maximum bytes of all request bodies in flight; beyond it requests get 503; 0: a
    ///     sixteenth of the heap, at least two of the longest bodies
    /// @param maximumTrace maximum size of a trace, benchmark file or engine log
    /// @param maximumWait maximum `Prefer: wait`
    /// @param maximumWaiting maximum requests waiting for a job (`Prefer: wait`) per process, and maximum
    ///     event streams
    /// @param keepAlive interval of keep-alive messages in event streams
    /// @param retryAfter `Retry-After` of 503, and of 429 before any job has succeeded
    record Http(
            @DefaultValue List<String> allowedHosts,

            @DefaultValue
            List<
                            @Pattern(
                                    regexp = "https?://[^/?#@\\s]+/?",
                                    message = "must be an origin such as https://portal.example: scheme, host and port")
                            String>
                    allowedOrigins,

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

        /// Objects made of a body take several times its bytes.
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

    /// @param enabled true to respond to agents at `/mcp`; their calls need the keys and roles of the API
    record Mcp(@DefaultValue("true") boolean enabled) {}

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
