package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.KubernetesObjects;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Rows become objects of Kubernetes that it takes as they are, with the counts of the row.
class ManifestsIT extends HttpTest {
    private static final String DENSE = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";

    private static final String EXPERTS = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["%s"], "num_devices": 8, "slo": {"tpot_ms": 200},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
             "search": {"tp_sizes": [2], "ep_sizes": [8]}}""";

    private static final String PAIR = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 24, "mode": "pd_ratio",
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 4000, "tpot_ms": 50},
             "serving": {"compile": true}, "search": {"tp_sizes": [2]},
             "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 2}}""";

    /// Each server of the commands is a Pod: as many, on as many devices, with every option of the command.
    @ParameterizedTest
    @ValueSource(strings = {DENSE, EXPERTS, PAIR})
    void theObjectsAreThoseOfTheRow(String question) throws IOException {
        String job = id(question.formatted("H100_SXM"));
        for (String engine : List.of("vllm", "sglang")) {
            JsonPath launch = api().accept("application/json")
                    .get(OPTIMIZATIONS + "/" + job + "/launch?engine=" + engine)
                    .then()
                    .statusCode(200)
                    .extract()
                    .jsonPath();
            List<HasMetadata> objects = objects(job, "engine=" + engine);
            List<Deployment> deployments = of(objects, Deployment.class);
            List<Service> services = of(objects, Service.class);

            assertThat(deployments).hasSize(launch.getList("servers").size()).hasSameSizeAs(services);
            for (int kind = 0; kind < deployments.size(); kind++) {
                String server = "servers[" + kind + "].";
                Deployment deployment = deployments.get(kind);
                Container container = container(deployment);
                assertThat(deployment.getSpec().getReplicas()).isEqualTo(launch.getInt(server + "instances"));
                assertThat(devices(container)).isEqualTo(launch.getInt(server + "num_devices"));
                assertThat(container.getArgs())
                        .singleElement()
                        .asString()
                        .contains(launch.getList(server + "options.option", String.class));
                assertThat(container.getPorts().getFirst().getContainerPort())
                        .isEqualTo(launch.getInt(server + "port"));
                Map<String, String> labels =
                        deployment.getSpec().getTemplate().getMetadata().getLabels();
                assertThat(deployment.getSpec().getSelector().getMatchLabels()).isEqualTo(labels);
                assertThat(services.get(kind).getSpec().getSelector()).isEqualTo(labels);
            }
            assertThat(objects)
                    .allSatisfy(object -> assertThat(object.getMetadata().getName())
                            .matches("[a-z]([-a-z0-9]*[a-z0-9])?")
                            .hasSizeLessThanOrEqualTo(45));
        }
    }

    @Test
    void replicasOfAPlanUseAllItsDevices() throws IOException {
        List<HasMetadata> objects = objects(id(DENSE), "engine=vllm");

        Deployment deployment = of(objects, Deployment.class).getFirst();
        assertThat(deployment.getSpec().getReplicas() * devices(container(deployment)))
                .isEqualTo(8);
        assertThat(deployment.getMetadata().getName()).isEqualTo("qwen3-32b");
        assertThat(container(deployment).getImage()).isEqualTo("vllm/vllm-openai:v0.24.0");
        assertThat(container(deployment).getArgs().getFirst())
                .startsWith("MODEL=\"${MODEL:?a checkpoint of Qwen/Qwen3-32B quantized as FP8}\"\nexec vllm serve")
                .doesNotContain("PORT:-");
        Service service = of(objects, Service.class).getFirst();
        assertThat(service.getSpec().getPorts().getFirst().getPort()).isEqualTo(8000);
        assertThat(service.getSpec().getPorts().getFirst().getTargetPort().getStrVal())
                .isEqualTo(container(deployment).getPorts().getFirst().getName());
    }

    /// A router has to see each Pod, and to be told that it is needed.
    @Test
    void aPairHasBothSidesWithTheCountsOfTheRow() throws IOException {
        String job = id(PAIR);
        JsonPath pair = api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + job + "/result")
                .jsonPath();
        List<Deployment> deployments = of(objects(job, "engine=vllm"), Deployment.class);

        assertThat(deployments)
                .extracting(deployment -> deployment.getMetadata().getName())
                .containsExactly("qwen3-32b-prefill", "qwen3-32b-decode");
        assertThat(deployments)
                .extracting(deployment -> devices(container(deployment)))
                .containsExactly(4, 2);
        assertThat(deployments)
                .extracting(deployment -> deployment.getSpec().getReplicas())
                .containsExactly(
                        pair.getInt("devices[0].pd_ratio.best.prefill_instances"),
                        pair.getInt("devices[0].pd_ratio.best.decode_instances"));
        assertThat(of(objects(job, "engine=vllm"), Service.class))
                .extracting(service -> service.getSpec().getClusterIP())
                .containsOnly("None");
        manifests(job, "engine=vllm").body(containsString("# clients ask a router, which is none of these objects"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "H100_SXM | engine=trtllm | no image of TensorRT-LLM is known",
                "H100_SXM | engine=vllm&devices_per_node=4 | a server of 8 devices takes several nodes of 4",
                "TEST_DEVICE | engine=vllm | what Kubernetes calls devices as TEST_DEVICE",
                "ATLAS_800_A2_376T_64G | engine=sglang | what Kubernetes calls devices as ATLAS_800_A2_376T_64G"
            })
    void whatCannotBeWrittenIsRefusedWithTheReason(String device, String query, String reason) {
        manifests(id((query.contains("trtllm") ? DENSE : EXPERTS).formatted(device)), query)
                .statusCode(422)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/cannot-launch"))
                .body("detail", containsString(reason));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1025", "eight"})
    void nodesHaveDevices(String devices) {
        manifests(id(DENSE), "engine=vllm&devices_per_node=" + devices)
                .statusCode(400)
                .body("errors[0].parameter", equalTo("devices_per_node"));
    }

    private static int devices(Container container) {
        Quantity limit =
                Objects.requireNonNull(container.getResources().getLimits().get("nvidia.com/gpu"));
        return limit.getNumericalAmount().intValueExact();
    }

    private static Container container(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst();
    }

    private static <T> List<T> of(List<HasMetadata> objects, Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private List<HasMetadata> objects(String job, String query) throws IOException {
        String text = manifests(job, query)
                .statusCode(200)
                .contentType("application/yaml")
                .extract()
                .asString();
        List<HasMetadata> objects = new ArrayList<>();
        for (JsonNode object : YAMLMapper.shared()
                .readerFor(JsonNode.class)
                .<JsonNode>readValues(text)
                .readAll()) {
            objects.add(KubernetesObjects.read(object));
        }
        return objects;
    }

    private ValidatableResponse manifests(String job, String query) {
        return api().accept("*/*")
                .get(OPTIMIZATIONS + "/" + job + "/launch/manifests?" + query)
                .then();
    }

    private String id(String question) {
        return optimize(question).extract().path("id");
    }
}
