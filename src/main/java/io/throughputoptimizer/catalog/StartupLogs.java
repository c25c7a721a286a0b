package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNull;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.throughputoptimizer.core.accuracy.StartupLog;
import io.throughputoptimizer.core.accuracy.StartupLog.Printed;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.memory.DeviceMemory;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.EngineMemory.Mxfp4Kernel;
import io.throughputoptimizer.core.memory.MemoryModel;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.model.ModelDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// Startup logs of public servers for the accuracy of the memory law. Constants of the law were fitted to them.
public final class StartupLogs {
    private static final String ROWS = "/accuracy/memory-logs.csv";
    private static final String CONFIGS = "/accuracy/memory-configs.json";

    private final Catalogs catalogs;
    private final Map<String, ModelDocument> configs;

    private StartupLogs(Catalogs catalogs, Map<String, ModelDocument> configs) {
        this.catalogs = catalogs;
        this.configs = configs;
    }

    /// Reads all logs with their predictions, in file order.
    public static List<StartupLog> read(Catalogs catalogs) {
        StartupLogs logs = new StartupLogs(catalogs, configs());
        try (InputStreamReader text = new InputStreamReader(open(ROWS), StandardCharsets.UTF_8);
                CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(text)) {
            return rows.stream().map(logs::log).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream open(String name) {
        return requireNonNull(StartupLogs.class.getResourceAsStream(name));
    }

    /// Reads the model configurations of the logs, by name.
    public static Map<String, ModelDocument> configs() {
        try (InputStream file = open(CONFIGS)) {
            Map<String, Map<String, @Nullable Object>> entries =
                    JsonMapper.shared().readValue(file, new TypeReference<>() {});
            return entries.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, entry -> new ModelDocument(entry.getValue())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private StartupLog log(NamedCsvRecord row) {
        EngineMemory engine =
                requireNonNull(catalogs.engines().get(row.getField("engine"))).memory();
        DeviceMemory device = requireNonNull(engine.devices().get(row.getField("device")));
        OptionalDouble seen = number(row, "seen_gib");
        String scheme = row.getField("scheme");
        RankMemory memory = RankMemory.of(CalibratedMemory.rank(
                MemoryModel.of(requireNonNull(configs.get(row.getField("config")))),
                engine,
                seen.isPresent() ? device.withSeen(seen.getAsDouble()) : device,
                size(row, "tp"),
                size(row, "dp"),
                size(row, "ep"),
                scheme.isEmpty() ? null : Scheme.valueOf(scheme),
                CacheType.valueOf(row.getField("kv_cache").toUpperCase(Locale.ROOT)),
                (int) number(row, "draft_tokens").orElse(0),
                settings(row)));
        return new StartupLog(
                row.getField("config"),
                row.getField("version"),
                memory,
                number(row, "length").orElse(memory.rank().context()),
                new Printed(
                        row.getField("weights_fit").equals("no") ? OptionalDouble.empty() : number(row, "weights_gib"),
                        number(row, "kv_gib"),
                        number(row, "kv_tokens"),
                        number(row, "requests")),
                row.getField("source"),
                row.getField("note"));
    }

    private static MemorySettings settings(NamedCsvRecord row) {
        OptionalDouble share = number(row, "memory_share");
        OptionalDouble context = number(row, "max_model_len");
        String kernel = row.getField("mxfp4_kernel");
        return new MemorySettings(
                row.getField("version"),
                share.isPresent() ? (Double) share.getAsDouble() : null,
                whole(row, "max_num_seqs"),
                whole(row, "token_budget"),
                context.isPresent() ? (Long) (long) context.getAsDouble() : null,
                !row.getField("cuda_graphs").equals("false"),
                !row.getField("vision").equals("false"),
                kernel.isEmpty() ? null : Mxfp4Kernel.valueOf(kernel.toUpperCase(Locale.ROOT)),
                true,
                null,
                null);
    }

    private static int size(NamedCsvRecord row, String column) {
        return (int) number(row, column).orElse(1);
    }

    private static @Nullable Integer whole(NamedCsvRecord row, String column) {
        OptionalDouble value = number(row, column);
        return value.isPresent() ? (Integer) (int) value.getAsDouble() : null;
    }

    private static OptionalDouble number(NamedCsvRecord row, String column) {
        String text = row.getField(column);
        return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    }
}
