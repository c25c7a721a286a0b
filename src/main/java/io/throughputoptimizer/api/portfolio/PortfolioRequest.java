package io.throughputoptimizer.api.portfolio;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.portfolio.Portfolio.Assignment;
import io.throughputoptimizer.core.portfolio.Portfolio.DeviceKind;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A question about one stock of devices for many services, as it comes over the wire.
@Schema(name = "Portfolio")
public record PortfolioRequest(
        @Required @Size(min = 1, max = MOST_SERVICES) List<@NotNull PortfolioServiceRequest> services,
        @Required @Size(min = 1, max = Bounds.DEVICE_KINDS) List<@NotNull StockRequest> stock,
        @Schema(defaultValue = "fixed") AssignmentName assignment,
        @Schema(defaultValue = "false") Boolean unfavourable,

        @Schema(defaultValue = "8") @Min(1) @Max(MOST_SECONDS)
        Integer timeLimitS)
        implements Composite {
    static final int MOST_SERVICES = 100;
    private static final int MOST_SECONDS = 20;
    private static final int USUAL_SECONDS = 8;

    /// The time for which devices stay with a service.
    public enum AssignmentName {
        FIXED,
        HOURLY;

        public Assignment assignment() {
            return switch (this) {
                case FIXED -> Assignment.FIXED;
                case HOURLY -> Assignment.HOURLY;
            };
        }
    }

    /// Devices of one kind.
    @Schema(name = "StockOfDevices")
    public record StockRequest(
            @Required @NotBlank @Nullable String device,
            @Required @Min(0) @Max(MOST_DEVICES) @Nullable Integer count,

            @PositiveOrZero @DecimalMax("1000000000") @Nullable
            Double pricePerHour,

            @Min(1) @Max(MOST_OF_NODE) @Nullable Integer devicesPerNode)
            implements Composite {
        private static final int MOST_DEVICES = 65_536;
        private static final int MOST_OF_NODE = 1024;

        @Override
        public List<Violation> inconsistencies() {
            return count == null || devicesPerNode == null || devicesPerNode < 1 || count % devicesPerNode == 0
                    ? List.of()
                    : List.of(new Violation(
                            "/count", "must be a multiple of devices_per_node (" + devicesPerNode + "), got " + count));
        }

        DeviceKind toKind() {
            return new DeviceKind(
                    requireNonNullElse(device, ""),
                    requireNonNullElse(count, 0),
                    requireNonNullElse(pricePerHour, 1.0),
                    devicesPerNode);
        }
    }

    public PortfolioRequest {
        services = requireNonNullElse(services, List.of());
        stock = requireNonNullElse(stock, List.of());
        assignment = requireNonNullElse(assignment, AssignmentName.FIXED);
        unfavourable = requireNonNullElse(unfavourable, false);
        timeLimitS = requireNonNullElse(timeLimitS, USUAL_SECONDS);
    }

    /// Returns whether costs are prices instead of numbers of devices.
    public boolean isPriced() {
        return stock.stream().anyMatch(kind -> kind.pricePerHour != null);
    }

    /// The stock.
    public List<DeviceKind> kinds() {
        return stock.stream().map(StockRequest::toKind).toList();
    }

    @Override
    public List<Violation> inconsistencies() {
        if (Stream.concat(stock.stream(), services.stream()).anyMatch(Objects::isNull)) {
            return List.of();
        }
        List<Violation> broken = new ArrayList<>();
        Set<String> devices = new HashSet<>();
        for (int place = 0; place < stock.size(); place++) {
            StockRequest kind = stock.get(place);
            if (kind.device != null && !devices.add(kind.device)) {
                broken.add(
                        new Violation("/stock/" + place + "/device", "must be unique, got " + kind.device + " twice"));
            }
            if (isPriced() && kind.pricePerHour == null) {
                broken.add(new Violation(
                        "/stock/" + place + "/price_per_hour", "is required: set prices for all devices or none"));
            }
        }
        Set<String> names = new HashSet<>();
        for (int place = 0; place < services.size(); place++) {
            PortfolioServiceRequest service = services.get(place);
            if (service.name() != null && !names.add(service.name())) {
                broken.add(new Violation(
                        "/services/" + place + "/name", "must be unique, got " + service.name() + " twice"));
            }
            for (int device = 0; device < service.devices().size(); device++) {
                if (service.devices().get(device) != null
                        && !devices.contains(service.devices().get(device))) {
                    broken.add(new Violation(
                            "/services/" + place + "/devices/" + device,
                            "must be a device of stock, got "
                                    + service.devices().get(device)));
                }
            }
        }
        return broken;
    }
}
