package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Benchmark rows of the server that a request is about.
@Schema(
        name = "Feedback",
        description = "What a benchmark of the server printed that the request describes by its model, `quantization`,"
                + " device and `engine`, of which `version` is needed then: 1 to 50 rows.")
public record FeedbackRequest(
        @Schema(
                description = "Device that the server has; needed, and only useful, where `devices` has several.",
                example = "H200_SXM")
        @Size(max = 256, message = "{request.name.length}")
        @Nullable
        String device,

        @Schema(description = "Rows of the benchmark.") @Size(max = FeedbackRequest.MOST_ROWS) @Nullable
        List<@NotNull ServedRowRequest> rows,

        @Schema(
                description =
                        "Ids of stored sets whose rows count too; each must be of the same model, scheme, KV cache,"
                                + " device, engine and version. In the request that an answer shows their rows stand in `rows`.",
                example = "[\"0197a4e2-5b7c-7c3e-9a51-2f6f3f1d8e00\"]")
        @Size(max = FeedbackRequest.MOST_ROWS)
        @Nullable
        List<@NotBlank String> measurements)
        implements Composite {
    static final int MOST_ROWS = 50;

    @Override
    public List<Violation> inconsistencies() {
        return requireNonNullElse(rows, List.of()).isEmpty()
                        && requireNonNullElse(measurements, List.of()).isEmpty()
                ? List.of(new Violation("", "has no rows: 1 to " + MOST_ROWS + " are needed, here or in measurements"))
                : List.of();
    }
}
