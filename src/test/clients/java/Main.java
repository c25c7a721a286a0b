import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CatalogApi;
import org.openapitools.client.api.OptimizationsApi;
import org.openapitools.client.model.DeviceDocument;
import org.openapitools.client.model.Job;
import org.openapitools.client.model.LengthDistribution;
import org.openapitools.client.model.Limit;
import org.openapitools.client.model.OptimizationRequest;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Row;
import org.openapitools.client.model.Search;
import org.openapitools.client.model.Serving;
import org.openapitools.client.model.Slo;
import org.openapitools.client.model.Workload;

/// Speaks with the service through a client made by openapi-generator; prints what it read.
final class Main {
    private final ApiClient client = new ApiClient();
    private final OptimizationsApi optimizations;

    private Main(URI service) {
        client.setScheme(service.getScheme()).setHost(service.getHost()).setPort(service.getPort());
        optimizations = new OptimizationsApi(client);
    }

    public static void main(String[] arguments) throws Exception {
        Main main = new Main(URI.create(arguments[0]));
        main.searchOnOwnDevice();
        main.searchMixedLengths();
        main.beRefused();
    }

    private void searchOnOwnDevice() throws ApiException {
        DeviceDocument device = new CatalogApi(client).getDevice("TEST_DEVICE");
        Job job = finished(new OptimizationRequest()
                .modelId("Qwen/Qwen3-8B")
                .devices(List.of("MY_DEVICE"))
                .deviceProfiles(List.of(device.name("MY_DEVICE")))
                .numDevices(4)
                .workload(new Workload().inputLength(3500).outputLength(1500))
                .slo(new Slo().ttftMs(new Limit("inf")).tpotMs(new Limit(50.0)))
                .serving(new Serving().compile(true)));
        Row row = best(job);
        double tokens = row.getTokensPerS();
        long batch = row.getBatchSize();
        System.out.println("best " + tokens + " " + batch + " " + row.getParallel().getLabel());
        System.out.println("limit " + job.getRequest().getSlo().getTtftMs().getString());
    }

    private void searchMixedLengths() throws ApiException {
        Row row = best(finished(new OptimizationRequest()
                .modelId("Qwen/Qwen3-8B")
                .numDevices(Map.of("TEST_DEVICE", 4))
                .mode(OptimizationRequest.ModeEnum.DISAGGREGATION)
                .workload(new Workload()
                        .lengthDistribution(new LengthDistribution().name("builtin"))
                        .outputLength(500))
                .allowBeyondContext(true)
                .slo(new Slo().ttftMs(new Limit(4000.0)))));
        System.out.println("mixed " + row.getNumInputTokens() + " "
                + row.getComposition().stream()
                        .map(part -> part.getNumInputTokens() + ":" + part.getSamples())
                        .collect(Collectors.joining(" ")));
    }

    private void beRefused() throws Exception {
        try {
            optimizations.createOptimization(
                    new OptimizationRequest()
                            .modelId("Qwen/Qwen3-8B")
                            .devices(List.of("TEST_DEVICE"))
                            .workload(new Workload().inputLength(100).outputLength(100))
                            .search(new Search().batchRange(List.of(8, 2))),
                    null,
                    null,
                    null,
                    null);
        } catch (ApiException refused) {
            Problem problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            System.out.println("problem " + problem.getStatus() + " "
                    + problem.getErrors().get(0).getPointer());
        }
    }

    private Job finished(OptimizationRequest request) throws ApiException {
        return optimizations.createOptimization(request, "wait=60", null, null, null);
    }

    private static Row best(Job job) {
        return job.getResult().getDevices().get(0).getPhases().get(0).getBest();
    }
}
