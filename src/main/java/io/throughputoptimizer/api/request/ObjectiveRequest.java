package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.core.search.Objective;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;

/// Ranking objective of plans, as a request states it: an object, or its name alone.
@Schema(name = "Objective")
public record ObjectiveRequest(
        @Required @Nullable Name name,
        @Min(1) @Max(Bounds.CONCURRENCY) @Nullable Integer minConcurrency,
        @Schema(ref = ObjectiveRequest.PRICE) @Nullable PerDevice<Double> pricePerDeviceHour,

        @Pattern(regexp = VISIBLE, message = "{request.currency}") @Nullable
        String currency)
        implements Composite {
    /// Reference to the schema of a price, which is a number or an object.
    private static final String PRICE = "#/components/schemas/DevicePrice";

    /// Neither blanks nor what moves a cursor or the direction of reading; classes of characters have no spelling that
    /// all readers of the API description know.
    private static final String VISIBLE =
            "^[^\\s\\u0000-\\u001f\\u007f-\\u00a0\\u00ad\\u200b-\\u200f\\u2028-\\u202f\\u2060-\\u206f\\ufeff]{1,16}$";

    private static final double HIGHEST_PRICE = 1e9;

    /// Names of the [Objective]s.
    public enum Name {
        TOKENS_PER_S,
        TOKENS_PER_S_PER_DEVICE,
        TOKENS_PER_S_PER_USER,
        COST_PER_MILLION_TOKENS;

        public static Name of(Objective objective) {
            return switch (objective) {
                case Objective.TokensPerSecond() -> TOKENS_PER_S;
                case Objective.TokensPerSecondPerDevice() -> TOKENS_PER_S_PER_DEVICE;
                case Objective.TokensPerSecondPerUser(var _) -> TOKENS_PER_S_PER_USER;
                case Objective.CostPerMillionTokens(var _, var _) -> COST_PER_MILLION_TOKENS;
            };
        }
    }

    public ObjectiveRequest {
        minConcurrency = name == Name.TOKENS_PER_S_PER_USER ? requireNonNullElse(minConcurrency, 1) : minConcurrency;
    }

    boolean isOfUsers() {
        return name == Name.TOKENS_PER_S_PER_USER;
    }

    /// Returns the objective of a request that keeps its rules.
    Objective toObjective(List<String> devices) {
        return switch (requireNonNull(name)) {
            case TOKENS_PER_S -> new Objective.TokensPerSecond();
            case TOKENS_PER_S_PER_DEVICE -> new Objective.TokensPerSecondPerDevice();
            case TOKENS_PER_S_PER_USER -> new Objective.TokensPerSecondPerUser(requireNonNull(minConcurrency));
            case COST_PER_MILLION_TOKENS -> new Objective.CostPerMillionTokens(prices(devices), currency);
        };
    }

    private Map<String, Double> prices(List<String> devices) {
        PerDevice<Double> prices = requireNonNull(pricePerDeviceHour);
        Map<String, Double> byDevice = new HashMap<>();
        devices.forEach(device -> byDevice.put(device, requireNonNull(prices.of(device))));
        return byDevice;
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>();
        if (name == null) {
            return broken;
        }
        if (!isOfUsers() && minConcurrency != null) {
            broken.add(new Violation("/min_concurrency", "requires objective tokens_per_s_per_user" + butIs(name)));
        }
        boolean costs = name == Name.COST_PER_MILLION_TOKENS;
        if (!costs && pricePerDeviceHour != null) {
            broken.add(new Violation(
                    "/price_per_device_hour", "requires objective cost_per_million_tokens" + butIs(name)));
        }
        if (!costs && currency != null) {
            broken.add(new Violation("/currency", "requires objective cost_per_million_tokens" + butIs(name)));
        }
        if (costs && pricePerDeviceHour == null) {
            broken.add(new Violation("/price_per_device_hour", "is required with objective cost_per_million_tokens"));
        }
        return broken;
    }

    private static String butIs(Name name) {
        return ", got " + WireFormat.name(name) + ". Remove it";
    }

    /// Returns the violations of the prices for these devices.
    List<Violation> pricesBroken(String pointer, List<String> devices) {
        if (name != Name.COST_PER_MILLION_TOKENS || pricePerDeviceHour == null) {
            return List.of();
        }
        String place = pointer + "/price_per_device_hour";
        List<Violation> broken = new ArrayList<>(pricePerDeviceHour.missing(place, devices));
        pricePerDeviceHour.forEach(place, (at, price) -> {
            if (!(price > 0 && price <= HIGHEST_PRICE)) {
                broken.add(new Violation(at, "must be above 0 and at most 1000000000, got " + price));
            }
        });
        return broken;
    }

    /// Reads an object, or its name alone.
    static final class Reader extends StdDeserializer<ObjectiveRequest> {
        Reader() {
            super(ObjectiveRequest.class);
        }

        @Override
        public ObjectiveRequest deserialize(JsonParser parser, DeserializationContext context) {
            return parser.hasToken(JsonToken.VALUE_STRING)
                    ? new ObjectiveRequest(context.readValue(parser, Name.class), null, null, null)
                    : context.readValue(parser, ObjectiveRequest.class);
        }
    }
}
