package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNull;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.throughputoptimizer.core.accuracy.MeasuredServer;
import io.throughputoptimizer.core.accuracy.MeasuredServer.Benchmark;
import io.throughputoptimizer.core.accuracy.MeasuredServer.Measured;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.StateType;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.zip.GZIPInputStream;

/// Benchmarked servers for the accuracy of the calibrated model: rows of InferenceX and NVIDIA published by
/// aiconfigurator. None of them was used for fitting, except for thirteen scalars common to all models.
public final class MeasuredServers {
    private static final String ROWS = "/accuracy/serving-rows.csv.gz";

    private final Catalogs catalogs;

    private MeasuredServers(Catalogs catalogs) {
        this.catalogs = catalogs;
    }

    /// Returns all servers, in file order.
    public static List<MeasuredServer> read(Catalogs catalogs) {
        MeasuredServers servers = new MeasuredServers(catalogs);
        try (InputStream packed = requireNonNull(MeasuredServers.class.getResourceAsStream(ROWS));
                InputStreamReader text = new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.UTF_8);
                CsvReader<NamedCsvRecord> rows = CsvReader.builder().ofNamedCsvRecord(text)) {
            return rows.stream().map(servers::server).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MeasuredServer server(NamedCsvRecord row) {
        Map.Entry<String, Calibration> device = calibration(row.getField("device"));
        return new MeasuredServer(
                row.getField("id"),
                row.getField("model"),
                device.getKey(),
                row.getField("backend_version"),
                deployment(row, device.getValue()),
                new Benchmark(
                        new SpreadLengths(whole(row, "isl"), whole(row, "osl"), number(row, "length_ratio")),
                        whole(row, "concurrency"),
                        number(row, "waves"),
                        whole(row, "poll"),
                        row.getField("kv_tokens").isEmpty() ? Double.POSITIVE_INFINITY : number(row, "kv_tokens")),
                new Measured(
                        usable(row, "use_tpot", "tpot_ms"),
                        usable(row, "use_ttft", "ttft_ms"),
                        number(row, "generic_tpot_ms")));
    }

    private CalibratedDeployment deployment(NamedCsvRecord row, Calibration calibration) {
        String id = row.getField("config").replace("--", "/").replaceFirst("\\.json$", "");
        ModelArchitecture model = catalogs.models().find(id).orElseThrow();
        return new CalibratedDeployment(
                model,
                calibration,
                CalibratedDeployment.layout(model, whole(row, "tp"), whole(row, "attention_dp"), whole(row, "moe_ep")),
                requireNonNull(catalogs.engines().get(row.getField("backend"))),
                new Precision(
                        Scheme.valueOf(row.getField("scheme")),
                        CacheType.valueOf(row.getField("kv_cache").toUpperCase(Locale.ROOT)),
                        StateType.FLOAT32,
                        false));
    }

    private Map.Entry<String, Calibration> calibration(String device) {
        return catalogs.calibrations().entrySet().stream()
                .filter(entry -> entry.getValue().device().equals(device))
                .findFirst()
                .orElseThrow();
    }

    private static OptionalDouble usable(NamedCsvRecord row, String mark, String figure) {
        return row.getField(mark).equals("1") ? OptionalDouble.of(number(row, figure)) : OptionalDouble.empty();
    }

    private static int whole(NamedCsvRecord row, String column) {
        return Integer.parseInt(row.getField(column));
    }

    private static double number(NamedCsvRecord row, String column) {
        return Double.parseDouble(row.getField(column));
    }
}
