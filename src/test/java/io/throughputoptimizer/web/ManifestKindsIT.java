package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Service;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.KubernetesObjects;
import io.throughputoptimizer.KubernetesObjects.DynamoGraphDeployment;
import io.throughputoptimizer.KubernetesObjects.GraphService;
import io.throughputoptimizer.KubernetesObjects.GroupTemplate;
import io.throughputoptimizer.KubernetesObjects.LeaderWorkerSet;
import io.throughputoptimizer.KubernetesObjects.LlmInferenceService;
import io.throughputoptimizer.KubernetesObjects.LlmModel;
import io.throughputoptimizer.KubernetesObjects.LlmParallelism;
import io.throughputoptimizer.KubernetesObjects.LlmServiceSpec;
import io.throughputoptimizer.KubernetesObjects.LlmWorkload;
import io.throughputoptimizer.KubernetesObjects.ModelRole;
import io.throughputoptimizer.KubernetesObjects.ModelService;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Rows for the operators and charts of a cluster: read strictly, with the counts of the row, also on several nodes.
class ManifestKindsIT extends HttpTest {
    private static final String DENSE = """
            {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
             "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"},
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 1000, "tpot_ms": 30}}""";

    private static final String EXPERTS = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-30B-A3B", "devices": ["H100_SXM"], "num_devices": 8, "slo": {"tpot_ms": 200},
             "workload": {"input_length": 3500, "output_length": 1500}, "serving": {"compile": true},
             "search": {"tp_sizes": [2], "ep_sizes": [8]}}""";

    private static final String PAIR = """
            {"cost_model": "analytic", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 24, "mode": "pd_ratio",
             "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 4000, "tpot_ms": 50},
             "serving": {"compile": true}, "search": {"tp_sizes": [2]},
             "pd_ratio": {"prefill_devices_per_instance": 4, "decode_devices_per_instance": 2}}""";

    private static final String LONG_NAME = """
            {"cost_model": "analytic", "model_id": "deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "devices": ["H100_SXM"], "num_devices": 8,
             "slo": {"tpot_ms": 200}, "workload": {"input_length": 3500, "output_length": 1500},
             "search": {"tp_sizes": [8]}}""";

    /// Of each server as many devices as the commands have, on each node size.
    @ParameterizedTest
    @ValueSource(strings = {DENSE, EXPERTS, PAIR})
    void everyKindHasTheDevicesOfTheRow(String question) throws JsonProcessingException {
        String job = id(question);
        for (String engine : List.of("vllm", "sglang")) {
            JsonPath launch = launch(job, engine);
            int servers = launch.getList("servers").size();
            for (int server = 0; server < servers; server++) {
                int devices = launch.getInt("servers[" + server + "].num_devices");
                int instances = launch.getInt("servers[" + server + "].instances");

                LeaderWorkerSet group = groups(job, "engine=" + engine).get(server);
                assertThat(group.spec().replicas()).isEqualTo(instances);
                assertThat(group.spec().leaderWorkerTemplate().size()).isEqualTo(1);
                assertThat(devices(group.spec().leaderWorkerTemplate())).isEqualTo(devices);

                List<GraphService> workers = workers(graph(job, "engine=" + engine));
                assertThat(workers).hasSize(servers);
                assertThat(workers.get(server).replicas()).isEqualTo(instances);
                assertThat(gpus(workers.get(server))).isEqualTo(devices);
            }
        }
        ModelService values = values(job, "engine=vllm");
        JsonPath launch = launch(job, "vllm");
        int all = IntStream.range(0, launch.getList("servers").size())
                .map(server -> launch.getInt("servers[" + server + "].num_devices")
                        * launch.getInt("servers[" + server + "].instances"))
                .sum();
        assertThat(devices(values.decode()) + devices(values.prefill())).isEqualTo(all);
        LlmServiceSpec service = service(job, "engine=vllm").spec();
        assertThat(devices(service.decode()) + devices(service.prefill())).isEqualTo(all);
    }

    /// KServe's templates give what `parallelism` says, and are told the rest.
    @Test
    void aServiceOfKserveHasWhatItsTemplatesAreTold() throws JsonProcessingException {
        String plain = PAIR.replace("\"serving\"", "\"quantization\": {\"linear\": \"DISABLED\"}, \"serving\"");
        LlmInferenceService pair = service(id(plain), "engine=vllm");
        assertThat(pair.metadata().getName()).isEqualTo("qwen3-32b");
        assertThat(pair.spec().model()).isEqualTo(new LlmModel("hf://Qwen/Qwen3-32B", "Qwen/Qwen3-32B"));
        assertThat(pair.spec().parallelism()).isEqualTo(new LlmParallelism(2, null, null, null));
        assertThat(options(pair.spec().template()))
                .contains("--max-num-seqs ", "--kv-transfer-config '{", "\"kv_role\":\"kv_consumer\"")
                .doesNotContain("--tensor-parallel-size", "$");
        LlmWorkload prefill = Objects.requireNonNull(pair.spec().prefill());
        assertThat(options(prefill.template()))
                .contains("--data-parallel-size 2", "\"kv_role\":\"kv_producer\"")
                .doesNotContain("--tensor-parallel-size");
        assertThat(prefill.template().getContainers().getFirst().getEnv())
                .filteredOn(variable -> variable.getName().equals("VLLM_NIXL_SIDE_CHANNEL_HOST"))
                .singleElement()
                .satisfies(variable -> assertThat(
                                variable.getValueFrom().getFieldRef().getFieldPath())
                        .isEqualTo("status.podIP"));

        String experts = id(EXPERTS);
        LlmServiceSpec grouped =
                service(experts, "engine=vllm&devices_per_node=4").spec();
        assertThat(grouped.parallelism()).isEqualTo(new LlmParallelism(2, 4, 2, true));
        assertThat(grouped.worker()).isEqualTo(grouped.template());
        assertThat(devices(grouped.decode())).isEqualTo(8);
        assertThat(options(grouped.template()))
                .contains("--max-num-seqs ")
                .doesNotContain("--data-parallel-size", "--enable-expert-parallel", "LWS_");
        assertThat(options(service(experts, "engine=vllm").spec().template()))
                .contains("--data-parallel-size 4", "--enable-expert-parallel");
        manifests(id(DENSE), "engine=vllm&format=kserve")
                .body(
                        containsString("hf://SET-THE-QUANTIZED-CHECKPOINT"),
                        containsString("# nothing starts until model.uri says where the checkpoint quantized as "));
    }

    /// A server of 8 devices on nodes of 4: two Pods of 4, of which the first answers.
    @Test
    void aServerTakesSeveralNodes() throws JsonProcessingException {
        String job = id(EXPERTS);

        LeaderWorkerSet group = groups(job, "engine=vllm&devices_per_node=4").getFirst();
        GroupTemplate template = group.spec().leaderWorkerTemplate();
        assertThat(template.size()).isEqualTo(2);
        assertThat(devices(template)).isEqualTo(8);
        assertThat(container(template.leaderTemplate()).getReadinessProbe()).isNotNull();
        assertThat(container(template.workerTemplate()).getReadinessProbe()).isNull();
        assertThat(container(template.workerTemplate()).getPorts()).isEmpty();
        assertThat(container(template.leaderTemplate()).getArgs().getFirst())
                .contains(
                        "--data-parallel-size 4",
                        "--data-parallel-size-local 2 --data-parallel-start-rank \"$((LWS_WORKER_INDEX * 2))\"",
                        "--data-parallel-address \"$LWS_LEADER_ADDRESS\"",
                        "|| echo --headless)");
        Service service = KubernetesObjects.read(
                documents(job, "engine=vllm&devices_per_node=4&format=leaderworkerset")
                        .get(1),
                Service.class);
        assertThat(service.getSpec().getSelector())
                .isEqualTo(template.leaderTemplate().getMetadata().getLabels())
                .isNotEqualTo(template.workerTemplate().getMetadata().getLabels());
        manifests(job, "engine=vllm&devices_per_node=4&format=leaderworkerset")
                .body(containsString("# 8 devices in all: of nodes with 4, at least 2"));
        assertThat(container(groups(job, "engine=sglang&devices_per_node=4")
                                .getFirst()
                                .spec()
                                .leaderWorkerTemplate()
                                .workerTemplate())
                        .getArgs()
                        .getFirst())
                .contains(
                        "--nnodes 2 --node-rank \"$LWS_WORKER_INDEX\" --dist-init-addr \"$LWS_LEADER_ADDRESS:20000\"");

        GraphService worker =
                workers(graph(job, "engine=vllm&devices_per_node=4")).getFirst();
        assertThat(Objects.requireNonNull(worker.multinode()).nodeCount()).isEqualTo(2);
        assertThat(gpus(worker)).isEqualTo(8);

        ModelRole decode = values(job, "engine=vllm&devices_per_node=4").decode();
        assertThat(decode.parallelism()).isEqualTo(new KubernetesObjects.Parallelism(2, 4, 2, 2));
        assertThat(devices(decode)).isEqualTo(8);
    }

    /// One data parallel rank on two nodes.
    @Test
    void aRankTakesSeveralNodes() throws JsonProcessingException {
        String job = id(LONG_NAME);

        LeaderWorkerSet group = groups(job, "engine=vllm&devices_per_node=4").getFirst();
        assertThat(container(group.spec().leaderWorkerTemplate().workerTemplate())
                        .getArgs()
                        .getFirst())
                .contains("--nnodes 2 --node-rank \"$LWS_WORKER_INDEX\" --master-addr \"$LWS_LEADER_ADDRESS\"");
        assertThat(group.metadata().getName()).isEqualTo("deepseek-r1-distill-llama-70b");
    }

    @Test
    void aGraphOfDynamoHasAFrontendAndBothRoles() throws JsonProcessingException {
        String job = id(PAIR);

        DynamoGraphDeployment graph = graph(job, "engine=vllm");
        assertThat(graph.spec().backendFramework()).isEqualTo("vllm");
        assertThat(graph.spec().services()).containsOnlyKeys("Frontend", "prefill", "decode");
        assertThat(graph.metadata().getName().length() + "-Frontend".length()).isLessThanOrEqualTo(45);
        GraphService prefill = Objects.requireNonNull(graph.spec().services().get("prefill"));
        assertThat(prefill.subComponentType()).isEqualTo("prefill");
        Container runs = prefill.extraPodSpec().mainContainer();
        assertThat(runs.getCommand()).containsExactly("python3", "-m", "dynamo.vllm");
        assertThat(runs.getArgs())
                .startsWith("--model", "$(MODEL)", "--tensor-parallel-size", "2")
                .contains("--disaggregation-mode", "{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_both\"}")
                .doesNotContain("{\"kv_connector\":\"NixlConnector\",\"kv_role\":\"kv_producer\"}")
                .noneMatch(argument -> argument.contains("'") || argument.contains(" "));
        assertThat(runs.getEnv().getFirst().getValue()).contains("Qwen/Qwen3-32B");
        GraphService decode = Objects.requireNonNull(
                graph(job, "engine=sglang").spec().services().get("decode"));
        assertThat(decode.extraPodSpec().mainContainer().getArgs())
                .containsOnlyOnce("--disaggregation-mode")
                .contains("decode", "nixl");
    }

    @Test
    void theChartOfLlmdRoutesToBothRoles() throws JsonProcessingException {
        ModelService pair = values(id(PAIR), "engine=vllm");
        assertThat(pair.routing().proxy().enabled()).isTrue();
        assertThat(args(pair.prefill())).contains("--port 8000");
        assertThat(args(pair.decode())).contains("--port 8200");

        ModelService alone = values(id(DENSE), "engine=vllm");
        assertThat(alone.prefill().create()).isFalse();
        assertThat(alone.prefill().replicas()).isZero();
        assertThat(alone.routing().proxy().enabled()).isFalse();
        assertThat(args(alone.decode())).contains("--port 8000").doesNotContain("PORT:-");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "engine=trtllm&format=dynamo | no image of TensorRT-LLM is known",
                "engine=sglang&format=llm-d | the chart of llm-d serves with vLLM, not with SGLang",
                "engine=vllm&format=leaderworkerset&devices_per_node=3 | takes 3 nodes of 3, and has not as many devices",
                "engine=vllm&format=llm-d&devices_per_node=1 | data parallel ranks of 2 devices do not share nodes of 1",
                "engine=sglang&format=kserve | templates serve with vLLM, not with SGLang",
                "engine=vllm&format=kserve&devices_per_node=1 | KServe has no template for data parallel ranks of 2 devices"
            })
    void whatCannotBeWrittenIsRefusedWithTheReason(String query, String reason) {
        manifests(id(query.contains("trtllm") ? DENSE : EXPERTS), query)
                .statusCode(422)
                .body("type", equalTo("/problems/cannot-launch"))
                .body("detail", containsString(reason));
    }

    @Test
    void otherKindsAreRefusedByName() {
        manifests(id(DENSE), "engine=vllm&format=helm")
                .statusCode(400)
                .body("errors[0].parameter", equalTo("format"))
                .body("errors[0].detail", containsString("deployment, leaderworkerset, dynamo, llm-d, kserve"));
    }

    private static int devices(GroupTemplate template) {
        int leader = gpus(template.leaderTemplate());
        assertThat(gpus(template.workerTemplate())).isEqualTo(leader);
        return template.size() * leader;
    }

    private static int gpus(PodTemplateSpec pod) {
        return gpus(container(pod).getResources());
    }

    private static int gpus(ResourceRequirements resources) {
        return Objects.requireNonNull(resources.getLimits().get("nvidia.com/gpu"))
                .getNumericalAmount()
                .intValueExact();
    }

    private static int gpus(GraphService worker) {
        int nodes = worker.multinode() == null ? 1 : worker.multinode().nodeCount();
        return nodes
                * Integer.parseInt(Objects.requireNonNull(
                        Objects.requireNonNull(worker.resources()).limits().get("gpu")));
    }

    private static int devices(ModelRole role) {
        return role.containers() == null
                ? 0
                : role.replicas()
                        * Objects.requireNonNull(role.parallelism()).workers()
                        * gpus(role.containers().getFirst().resources());
    }

    private static int devices(@Nullable LlmWorkload workload) {
        if (workload == null) {
            return 0;
        }
        LlmParallelism parallelism = workload.parallelism();
        int nodes = workload.worker() == null
                ? 1
                : Objects.requireNonNull(parallelism.data()) / Objects.requireNonNull(parallelism.dataLocal());
        return workload.replicas()
                * nodes
                * gpus(workload.template().getContainers().getFirst().getResources());
    }

    private static String options(PodSpec pod) {
        return pod.getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getName().equals("VLLM_ADDITIONAL_ARGS"))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    private static String args(ModelRole role) {
        return Objects.requireNonNull(role.containers()).getFirst().args().getFirst();
    }

    private static Container container(PodTemplateSpec pod) {
        return pod.getSpec().getContainers().getFirst();
    }

    private static List<GraphService> workers(DynamoGraphDeployment graph) {
        return graph.spec().services().values().stream()
                .filter(service -> service.componentType().equals("worker"))
                .toList();
    }

    private List<LeaderWorkerSet> groups(String job, String query) throws JsonProcessingException {
        List<LeaderWorkerSet> groups = new ArrayList<>();
        for (JsonNode document : documents(job, query + "&format=leaderworkerset")) {
            if (document.path("kind").asString().equals("LeaderWorkerSet")) {
                assertThat(document.path("apiVersion").asString()).isEqualTo("leaderworkerset.x-k8s.io/v1");
                groups.add(KubernetesObjects.read(document, LeaderWorkerSet.class));
            }
        }
        return groups;
    }

    private DynamoGraphDeployment graph(String job, String query) throws JsonProcessingException {
        JsonNode document = documents(job, query + "&format=dynamo").getFirst();
        assertThat(document.path("apiVersion").asString()).isEqualTo("nvidia.com/v1alpha1");
        return KubernetesObjects.read(document, DynamoGraphDeployment.class);
    }

    private LlmInferenceService service(String job, String query) throws JsonProcessingException {
        JsonNode document = documents(job, query + "&format=kserve").getFirst();
        assertThat(document.path("apiVersion").asString()).isEqualTo("serving.kserve.io/v1alpha2");
        assertThat(document.path("kind").asString()).isEqualTo("LLMInferenceService");
        return KubernetesObjects.read(document, LlmInferenceService.class);
    }

    private ModelService values(String job, String query) throws JsonProcessingException {
        return KubernetesObjects.read(documents(job, query + "&format=llm-d").getFirst(), ModelService.class);
    }

    private List<JsonNode> documents(String job, String query) {
        String text = manifests(job, query).statusCode(200).extract().asString();
        try (var documents = YAMLMapper.shared().readerFor(JsonNode.class).<JsonNode>readValues(text)) {
            return documents.readAll();
        }
    }

    private JsonPath launch(String job, String engine) {
        return api().accept("application/json")
                .get(OPTIMIZATIONS + "/" + job + "/launch?engine=" + engine)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
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
