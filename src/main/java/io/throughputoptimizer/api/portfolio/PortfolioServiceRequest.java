package io.throughputoptimizer.api.portfolio;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One service of a [PortfolioRequest].
@Schema(name = "ServiceOfPortfolio")
public record PortfolioServiceRequest(
        @Required @NotBlank @Size(max = 100, message = "{request.name.length}") @Nullable
        String name,

        @Schema(types = "object") @Required @Nullable Map<String, @Nullable Object> request,
        @Valid @Nullable HourlyDemandRequest demandByHour,
        @Size(max = Bounds.DEVICE_KINDS) List<@NotBlank String> devices,

        @Schema(defaultValue = "1") @DecimalMin("0.001") @DecimalMax("1000000")
        Double weight,

        @Schema(defaultValue = "0") @Min(0) @Max(MOST_REPLICAS)
        Integer minReplicas,

        @Schema(defaultValue = "0") @PositiveOrZero @DecimalMax(value = "1", inclusive = false)
        Double mayRefuse)
        implements Composite {
    private static final int MOST_REPLICAS = 10_000;

    /// Demand over the day.
    @Schema(name = "DemandByHour")
    public record HourlyDemandRequest(
            @Size(min = HOURS, max = HOURS) @Nullable
            List<@NotNull @PositiveOrZero @DecimalMax(MOST) Double> requestsPerS,

            @Size(min = HOURS, max = HOURS) @Nullable
            List<@NotNull @PositiveOrZero @DecimalMax(MOST) Double> tokensPerS,

            @Size(min = HOURS, max = HOURS) @Nullable List<@NotNull @Min(0) @Max(MOST_REQUESTS) Integer> concurrency)
            implements Composite {
        private static final int HOURS = 24;
        private static final String MOST = "1000000000";
        private static final long MOST_REQUESTS = 1_000_000_000;

        @Override
        public List<Violation> inconsistencies() {
            if (Stream.of(requestsPerS, tokensPerS, concurrency)
                            .filter(Objects::nonNull)
                            .count()
                    != 1) {
                return List.of(new Violation("", "needs exactly one of requests_per_s, tokens_per_s and concurrency"));
            }
            return amounts().stream().allMatch(amount -> amount <= 0)
                    ? List.of(new Violation("/" + member(), "must be above 0 in at least one hour"))
                    : List.of();
        }

        /// Returns the name of the field that is set.
        String member() {
            return requestsPerS != null ? "requests_per_s" : tokensPerS != null ? "tokens_per_s" : "concurrency";
        }

        /// In what the member counts.
        List<Double> amounts() {
            if (concurrency != null) {
                return concurrency.stream()
                        .map(count -> count == null ? 0.0 : count.doubleValue())
                        .toList();
            }
            return requireNonNullElse(requestsPerS, requireNonNullElse(tokensPerS, List.<Double>of())).stream()
                    .map(amount -> amount == null ? 0.0 : amount)
                    .toList();
        }
    }

    public PortfolioServiceRequest {
        devices = requireNonNullElse(devices, List.of());
        weight = requireNonNullElse(weight, 1.0);
        minReplicas = requireNonNullElse(minReplicas, 0);
        mayRefuse = requireNonNullElse(mayRefuse, 0.0);
    }

    @Override
    public List<Violation> inconsistencies() {
        if (request == null) {
            return List.of();
        }
        List<Violation> taken = Stream.of("devices", "num_devices")
                .filter(request::containsKey)
                .map(member -> new Violation("/request/" + member, "must not be set: stock has the devices. Remove it"))
                .toList();
        List<Violation> mode = request.containsKey("mode") && !"capacity".equals(request.get("mode"))
                ? List.of(new Violation("/request/mode", "must be capacity or absent, got " + request.get("mode")))
                : List.of();
        List<Violation> demand = demandByHour != null && request.containsKey("demand")
                ? List.of(new Violation("/request/demand", "must not be combined with demand_by_hour. Remove one"))
                : List.of();
        return Stream.of(taken, mode, demand).flatMap(List::stream).toList();
    }
}
