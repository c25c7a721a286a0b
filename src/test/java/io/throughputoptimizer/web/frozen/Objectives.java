package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What plans are ranked by.
final class Objectives {
    private Objectives() {}

    /// @param atOnce requests that a plan must serve, where it is ranked by what one user sees
    static Map<String, Object> drawn(Draw draw, List<String> devices, int atOnce) {
        return switch (draw.below(4)) {
            case 0 -> members("name", "tokens_per_s");
            case 1 -> members("name", "tokens_per_s_per_device");
            case 2 ->
                atOnce == 1
                        ? members("name", "tokens_per_s_per_user")
                        : members("name", "tokens_per_s_per_user", "min_concurrency", atOnce);
            default -> {
                Map<String, Object> prices = new LinkedHashMap<>();
                devices.forEach(device -> prices.put(device, 1.25 + prices.size()));
                Map<String, Object> cost = members(
                        "name", "cost_per_million_tokens", "price_per_device_hour", draw.chance(0.3) ? 2.5 : prices);
                if (draw.chance(0.5)) {
                    cost.put("currency", "EUR");
                }
                yield cost;
            }
        };
    }
}
