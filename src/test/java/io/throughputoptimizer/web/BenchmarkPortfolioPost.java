package io.throughputoptimizer.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Posts seeded portfolios of so many services on five kinds of device to a running service, and prints how long
/// instances and solver took, and the gap. Demand differs in each of 24 hours; half of the services are priced by
/// measured kernels, and no two of them ask for the same lengths.
///
/// `java src/test/java/io/throughputoptimizer/web/BenchmarkPortfolioPost.java http://127.0.0.1:8080 20 fixed 1 2 3`
///
/// The arguments: where the service is, services, `fixed` or `hourly`, and seeds.
final class BenchmarkPortfolioPost {
    private static final int HOURS = 24;
    private static final List<String> KINDS = List.of("H100_SXM", "H200_SXM", "B200_SXM", "A100_SXM", "L40S");
    private static final List<String> MEASURED = KINDS.subList(0, 3);
    private static final List<Double> PRICES = List.of(2.5, 3.5, 6.0, 1.5, 0.9);

    /// With the requests a second that one of them has about, so that fleets are neither empty nor endless.
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-8B",
            "Qwen/Qwen3-14B",
            "Qwen/Qwen3-32B",
            "Qwen/Qwen3-30B-A3B",
            "meta-llama/Llama-3.1-8B-Instruct",
            "meta-llama/Llama-3.3-70B-Instruct");

    private BenchmarkPortfolioPost() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        URI service = URI.create(arguments[0] + "/api/v1/portfolios");
        int services = Integer.parseInt(arguments[1]);
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int place = 3; place < arguments.length; place++) {
                long seed = Long.parseLong(arguments[place]);
                HttpRequest post = HttpRequest.newBuilder(service)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json")
                        .POST(BodyPublishers.ofString(portfolio(new SplittableRandom(seed), services, arguments[2])))
                        .build();
                long start = System.nanoTime();
                var answer = client.send(post, BodyHandlers.ofString());
                double seconds = (System.nanoTime() - start) / 1e9;
                System.out.printf(
                        Locale.ROOT,
                        "seed %d: %d after %.2f s%s%n",
                        seed,
                        answer.statusCode(),
                        seconds,
                        said(answer.body()));
            }
        }
    }

    private static String said(String body) {
        String members = List.of("outcome", "gap", "search_s", "solver_s", "candidates").stream()
                .map(member -> member(body, member))
                .collect(Collectors.joining());
        return members.isEmpty() ? ": " + body : members;
    }

    private static String member(String body, String name) {
        Matcher found =
                Pattern.compile("\"%s\"\\s*:\\s*\"?([^,}\"]+)".formatted(name)).matcher(body);
        return found.find() ? ", " + name + " " + found.group(1).strip() : "";
    }

    private static String portfolio(SplittableRandom random, int services, String assignment) {
        List<String> stock = new ArrayList<>();
        for (int kind = 0; kind < KINDS.size(); kind++) {
            stock.add("""
                    {"device": "%s", "count": %d, "price_per_hour": %s, "devices_per_node": 8}""".formatted(KINDS.get(kind), 8 * random.nextInt(8, 25), PRICES.get(kind)));
        }
        return """
                {"assignment": "%s", "stock": [%s], "services": [%s]}""".formatted(
                        assignment,
                        String.join(", ", stock),
                        IntStream.range(0, services)
                                .mapToObj(place -> service(random, place))
                                .collect(Collectors.joining(",\n")));
    }

    private static String service(SplittableRandom random, int place) {
        boolean measured = place % 2 == 1;
        double peak = random.nextInt(20, 200) / 10.0;
        int peakHour = random.nextInt(HOURS);
        String demand = IntStream.range(0, HOURS)
                .mapToObj(hour -> String.format(
                        Locale.ROOT,
                        "%.2f",
                        peak * (0.6 + 0.4 * Math.cos((hour - peakHour) * Math.PI / 12)) * random.nextDouble(0.95, 1)))
                .collect(Collectors.joining(", "));
        String cost = measured ? """
                        "cost_model": "calibrated", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},""" : """
                        "serving": {"compile": true},""";
        return """
                {"name": "service %d", "weight": %d, "min_replicas": %d, "may_refuse": %s, "demand_by_hour": {"requests_per_s": [%s]}, %s
                 "request": {%s "model_id": "%s", "headroom": 0.2, "instance_sizes": [1, 2, 4, 8],
                   "workload": {"input_length": %d, "output_length": %d}, "slo": {"ttft_ms": %d, "tpot_ms": %d}}}""".formatted(
                        place,
                        random.nextInt(1, 5),
                        random.nextInt(3),
                        random.nextBoolean() ? "0" : "0.05",
                        demand,
                        measured
                                ? "\"devices\": "
                                        + MEASURED.stream()
                                                .map(name -> '"' + name + '"')
                                                .toList() + ","
                                : "",
                        cost,
                        MODELS.get(random.nextInt(MODELS.size())),
                        random.nextInt(500, 8000),
                        random.nextInt(100, 1500),
                        random.nextInt(1000, 4000),
                        random.nextInt(30, 100));
    }
}
