package io.throughputoptimizer.job;

import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Posts searches to a service process and asks it for jobs.
final class ServiceClient {
    static final String OPTIMIZATIONS = "/api/v1/optimizations";

    private static final String FINISHED = "succeeded failed cancelled";

    private ServiceClient() {}

    /// A search of a model that does not fit, batch size by batch size and each chunk by chunk: long, with a short
    /// result. Its time grows with the square of the batch sizes: seconds for 8,000, hours for a million.
    static String longSearch(int batchSizes) {
        return """
                {"model_id": "meta-llama/Meta-Llama-3.1-405B", "devices": ["TEST_DEVICE"], "num_devices": 1,
                 "mode": "aggregation", "workload": {"input_length": 20000, "output_length": 1500},
                 "slo": {"ttft_ms": 1e9, "tpot_ms": 1e9},
                 "search": {"tp_sizes": [1], "strategy": "exhaustive", "batch_range": [1, %d]}}""".formatted(batchSizes);
    }

    /// A search that takes milliseconds.
    static String shortSearch(int inputLength) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 1, "mode": "disaggregation",
                 "workload": {"input_length": %d, "output_length": 100}, "slo": {"ttft_ms": 4000}}""".formatted(inputLength);
    }

    /// Posts a search that must be accepted.
    ///
    /// @return its id
    static String submit(ServiceProcess service, String request, String... headers)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = service.post(OPTIMIZATIONS, request, headers);
        if (answer.statusCode() != 202) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return json(answer).required("id").asString();
    }

    static JsonNode job(ServiceProcess service, String id) throws IOException, InterruptedException {
        return json(service.get(OPTIMIZATIONS + "/" + id + "?include=all"));
    }

    static String status(ServiceProcess service, String id) throws IOException, InterruptedException {
        return job(service, id).required("status").asString();
    }

    static void awaitStatus(ServiceProcess service, String id, String status) throws IOException, InterruptedException {
        while (!status(service, id).equals(status)) {
            Thread.sleep(10);
        }
    }

    /// The job once it is finished.
    static JsonNode awaitEnd(ServiceProcess service, String id) throws IOException, InterruptedException {
        JsonNode job = job(service, id);
        while (!FINISHED.contains(job.required("status").asString())) {
            Thread.sleep(20);
            job = job(service, id);
        }
        return job;
    }

    /// How many jobs of a status there are, up to a hundred.
    static int count(ServiceProcess service, String status) throws IOException, InterruptedException {
        return json(service.get(OPTIMIZATIONS + "?limit=100&status=" + status))
                .required("optimizations")
                .size();
    }

    static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}
