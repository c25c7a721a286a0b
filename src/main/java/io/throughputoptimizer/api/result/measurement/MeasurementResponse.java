package io.throughputoptimizer.api.result.measurement;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.reading.MeasurementReader.Compared;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.MeasurementRequest;
import io.throughputoptimizer.api.request.MeasurementSets.MeasurementSet;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.result.measurement.ComparedRowResponse.RatioResponse;
import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.Scheme;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Measurements of one server with the predictions of that time, as they are sent and stored.
@Schema(name = "Measurements")
public record MeasurementResponse(
        String id,
        Instant createdAt,
        String source,
        GroupResponse group,
        @Schema(types = "object") @Nullable Map<String, @Nullable Object> modelConfig,
        QuantizationRequest quantization,
        EngineRequest engine,
        CostModelName costModel,
        boolean learntFrom,
        @Nullable String notLearntFrom,
        int numberOfRows,
        ErrorsResponse errors,
        @Nullable ErrorsResponse errorsLearnt,
        @Nullable List<ComparedRowResponse> rows) {

    private static final int OF_A_ROW = 2_000;

    /// Common properties of the measurements of one server.
    @Schema(name = "MeasuredServer")
    public record GroupResponse(
            String model, String quantization, String kvCacheDtype, String device, String engine, String version) {}

    /// Median of `|predicted / measured - 1|` in percent.
    @Schema(name = "MeasuredErrors")
    public record ErrorsResponse(
            @Nullable Double tpotPercent,
            @Nullable Double ttftPercent,
            @Nullable Double tokensPerSPercent) {}

    /// @param source tool that printed the rows
    public static MeasurementResponse of(String id, Instant createdAt, String source, Compared compared) {
        List<ComparedRowResponse> rows =
                compared.rows().stream().map(ComparedRowResponse::of).toList();
        String device = requireNonNull(compared.request().device());
        return new MeasurementResponse(
                id,
                createdAt,
                source,
                new GroupResponse(
                        compared.request().modelName(),
                        compared.quantization().words(device),
                        compared.kvCacheDtype(),
                        device,
                        compared.engine().backend(device),
                        requireNonNull(compared.engine().version())),
                compared.request().modelConfig(),
                compared.quantization(),
                compared.engine(),
                compared.costModel(),
                compared.notLearntFrom() == null,
                compared.notLearntFrom(),
                rows.size(),
                errors(rows.stream().map(ComparedRowResponse::ratio).toList()),
                rows.stream().anyMatch(row -> row.learnt() != null)
                        ? errors(rows.stream()
                                .map(ComparedRowResponse::learntRatio)
                                .filter(Objects::nonNull)
                                .toList())
                        : null,
                rows);
    }

    private static ErrorsResponse errors(List<RatioResponse> ratios) {
        return new ErrorsResponse(
                error(ratios, RatioResponse::tpotMs),
                error(ratios, RatioResponse::ttftMs),
                error(ratios, RatioResponse::tokensPerS));
    }

    /// Returns the approximate number of characters of the response.
    public long length() {
        long ofRows = rows == null ? 0 : (long) rows.size() * OF_A_ROW;
        return OF_A_ROW
                + ofRows
                + (modelConfig == null ? 0 : WireFormat.write(modelConfig).length());
    }

    /// Returns the set for a plan that names it.
    ///
    /// @throws IllegalStateException if no plan is calibrated with it
    public MeasurementSet toSet() {
        if (!learntFrom) {
            throw new IllegalStateException(id + " is not learnt from");
        }
        boolean unnamed = modelConfig != null && group.model.equals(MeasurementRequest.UNNAMED);
        return new MeasurementSet(
                new MeasurementSet.Group(
                        unnamed ? null : group.model,
                        modelConfig,
                        Scheme.valueOf(group.quantization),
                        CacheType.valueOf(group.kvCacheDtype.toUpperCase(Locale.ROOT)),
                        group.device,
                        group.engine,
                        group.version),
                requireNonNull(rows).stream().map(ComparedRowResponse::toRow).toList());
    }

    /// Returns the entry of a list, without rows.
    public MeasurementResponse brief() {
        return WireMember.copy(this, "modelConfig", null, "rows", null);
    }

    private static @Nullable Double error(
            List<RatioResponse> ratios, Function<RatioResponse, @Nullable Double> figure) {
        double[] errors = ratios.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .mapToDouble(ratio -> 100 * Math.abs(1 / ratio - 1))
                .sorted()
                .toArray();
        if (errors.length == 0) {
            return null;
        }
        int middle = errors.length / 2;
        return errors.length % 2 == 1
                ? errors[middle]
                : Arrays.stream(errors, middle - 1, middle + 1).average().orElseThrow();
    }

    /// A page of measurements.
    @Schema(name = "MeasurementList")
    public record MeasurementListResponse(
            List<MeasurementResponse> measurements,
            @Nullable String nextCursor) {}
}
