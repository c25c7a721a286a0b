package io.throughputoptimizer.web.frozen;

import static io.throughputoptimizer.web.frozen.Draw.members;

import io.throughputoptimizer.web.frozen.MeasuredRequests.Served;
import java.util.List;
import java.util.Map;

/// Requests for small searches on measured devices.
final class MeasuredQuestions {
    private final Draw draw;
    private final MeasuredRequests requests;

    MeasuredQuestions(long seed) {
        this.draw = new Draw(seed);
        this.requests = new MeasuredRequests(draw);
    }

    Question aggregation() {
        Served served = draw.pick(MeasuredRequests.ALL);
        Map<String, Object> request =
                requests.asked(served, requests.devices(served, 0.3), served.least() * draw.pick(1, 1, 2, 4));
        request.put("search", requests.sizes(draw.pick(8, 32, 64)));
        return Question.search(request);
    }

    /// With limits on percentiles, or rows that show them, of closed and open load.
    Question percentiles() {
        return Question.search(percentilesRequest(draw.chance(0.5)));
    }

    private Map<String, Object> percentilesRequest(boolean limited) {
        Served served = draw.pick(MeasuredRequests.DENSE);
        Map<String, Object> request = requests.asked(served, List.of(draw.pick(served.devices())), draw.pick(1, 1, 2));
        request.put("workload", members("input_length", draw.pick(128, 1000), "output_length", draw.pick(16, 60)));
        request.put("search", requests.allSizes(draw.pick(4, 8)));
        request.put("traffic", draw.chance(0.4) ? rate() : loop());
        Map<String, Object> limits = requests.limits(1);
        if (limited) {
            limits.putIfAbsent("tpot_ms", draw.pick(15, 30));
            limits.put("percentile", draw.pick(50, 90, 95.5, 99));
        } else {
            request.put("percentiles", true);
        }
        request.put("slo", limits);
        return request;
    }

    private Map<String, Object> rate() {
        return members("request_rate", draw.pick(0.5, 2.0, 6.0), "seed", draw.pick(1, 7), "random_range_ratio", 0.8);
    }

    private Map<String, Object> loop() {
        Map<String, Object> loop = members("waves", draw.pick(2, 5), "random_range_ratio", draw.pick(1, 0.8, 0.4));
        if (draw.chance(0.3)) {
            loop.put("think_ms", draw.pick(20, 500));
        }
        return loop;
    }

    /// One size of instances on each side.
    Question ratio() {
        return Question.search(ratioRequest());
    }

    private Map<String, Object> ratioRequest() {
        Served served = draw.pick(MeasuredRequests.DENSE);
        Map<String, Object> request = requests.asked(served, requests.devices(served, 0.2), draw.pick(4, 6, 8));
        request.put("mode", "pd_ratio");
        request.put("search", requests.allSizes(draw.pick(8, 16)));
        request.put(
                "pd_ratio",
                members(
                        "prefill_devices_per_instance",
                        draw.pick(1, 2),
                        "decode_devices_per_instance",
                        draw.pick(1, 2)));
        return request;
    }

    /// Instances of several sizes, on one or two kinds of device, with and without a transfer.
    Question pairs() {
        return Question.search(pairsRequest());
    }

    private Map<String, Object> pairsRequest() {
        Served served = draw.pick(MeasuredRequests.DENSE);
        boolean two = served.devices().size() > 1 && draw.chance(0.5);
        List<String> kinds = two ? served.devices().subList(0, 2) : List.of(draw.pick(served.devices()));
        Map<String, Object> request = requests.asked(served, kinds, draw.pick(4, 6));
        request.put("mode", "pd_ratio");
        request.put("search", requests.allSizes(draw.pick(8, 16)));
        Map<String, Object> pair = members(
                "prefill_devices_per_instance",
                draw.pick(List.of(1), List.of(1, 2)),
                "decode_devices_per_instance",
                draw.pick(List.of(2), List.of(1, 2), List.of(2, 1)));
        if (two) {
            pair.put("prefill_devices", kinds.getFirst());
            pair.put("decode_devices", draw.chance(0.5) ? List.of(kinds.get(1)) : kinds);
        }
        if (draw.chance(0.6)) {
            pair.put("kv_transfer", transfer());
        }
        request.put("pd_ratio", pair);
        return request;
    }

    private Map<String, Object> transfer() {
        Map<String, Object> transfer = members("gb_per_s", draw.pick(0.5, 5, 25, 100));
        if (draw.chance(0.5)) {
            transfer.put("latency_ms", draw.pick(1, 5.5));
        }
        return transfer;
    }

    Question capacity() {
        Served served = draw.pick(draw.chance(0.7) ? MeasuredRequests.DENSE : MeasuredRequests.ALL);
        List<String> devices = requests.devices(served, 0.2);
        Map<String, Object> request = requests.asked(served, devices, served.least() * draw.pick(2, 4, 8));
        request.put("mode", "capacity");
        if (request.containsKey("objective")) {
            request.put("objective", Objectives.drawn(draw, devices, 1));
        }
        request.put("search", requests.sizes(draw.pick(4, 8)));
        request.put(
                "demand",
                switch (draw.below(3)) {
                    case 0 -> members("requests_per_s", draw.pick(0.5, 2.5, 6));
                    case 1 -> members("tokens_per_s", draw.pick(40, 250.5, 900));
                    default -> members("concurrency", draw.pick(3, 10, 24));
                });
        if (draw.chance(0.5)) {
            request.put("headroom", draw.pick(0.1, 0.25));
        }
        if (draw.chance(0.7)) {
            request.put("instance_sizes", List.of(served.least(), 2 * served.least()));
        }
        if (draw.chance(0.5)) {
            request.put("kv_transfer", transfer());
        }
        return Question.search(request);
    }

    /// Of each of these, why.
    Question explained() {
        return Question.explained(explainedRequest());
    }

    /// Limits, or a rate, that nothing keeps, and what is nearest.
    Question hopeless() {
        Map<String, Object> request =
                draw.chance(0.25) ? tooManyRequests() : draw.chance(0.2) ? tooLarge() : explainedRequest();
        if (!request.containsKey("traffic") || draw.chance(0.5)) {
            Map<String, Object> limits = members("ttft_ms", draw.pick(5, 30, 4000), "tpot_ms", draw.pick(1, 2.5, 4));
            request.put("slo", limits);
            request.remove("traffic");
            request.remove("percentiles");
        }
        return Question.explained(request);
    }

    /// More a second than a device can do.
    private Map<String, Object> tooManyRequests() {
        Map<String, Object> request = percentilesRequest(true);
        request.put("num_devices", 1);
        request.put("devices", List.of("L40S"));
        request.put("model_id", "Qwen/Qwen3-8B");
        request.put("engine", members("backend", draw.pick(MeasuredRequests.ENGINES)));
        request.put("quantization", members("scheme", "BF16"));
        request.put("traffic", members("request_rate", draw.pick(60, 200.5), "random_range_ratio", 0.8));
        request.remove("objective");
        return request;
    }

    /// More than the memory holds.
    private Map<String, Object> tooLarge() {
        Served served = new Served("Qwen/Qwen3-32B", "FP8", List.of("L40S"), MeasuredRequests.ENGINES, 1);
        Map<String, Object> request = requests.asked(served, served.devices(), 1);
        request.put("workload", members("input_length", draw.pick(3000, 30_000), "output_length", 100));
        request.put("search", members("batch_range", List.of(8)));
        return request;
    }

    private Map<String, Object> explainedRequest() {
        Map<String, Object> request = switch (draw.below(6)) {
            case 0 -> ratioRequest();
            case 1, 2 -> pairsRequest();
            case 3 -> percentilesRequest(true);
            default -> {
                Served served = draw.pick(draw.chance(0.7) ? MeasuredRequests.DENSE : MeasuredRequests.ALL);
                yield requests.asked(served, requests.devices(served, 0.2), served.least() * draw.pick(1, 2));
            }
        };
        request.put("search", members("batch_range", List.of(draw.pick(4, 8))));
        return request;
    }
}
