package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.restassured.http.ContentType;
import io.restassured.path.json.JsonPath;
import io.restassured.path.json.config.JsonPathConfig;
import io.restassured.path.json.config.JsonPathConfig.NumberReturnType;
import io.restassured.response.Response;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.web.description.Examples;
import io.throughputoptimizer.web.mcp.ToolTable;
import io.throughputoptimizer.web.mcp.ToolTable.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Tools, resources and prompts for agents, by the client of the MCP SDK.
@TestPropertySource(properties = "optimizer.security.requests-per-minute=0")
class McpIT extends SecuredTest {
    private static final Map<String, Object> SERVICE = Map.of(
            "model_id", "Qwen/Qwen3-32B",
            "devices", List.of("H100_SXM"),
            "num_devices", 8,
            "scheme", "FP8",
            "input_length", 3500,
            "output_length", 1500,
            "ttft_ms", 1000,
            "tpot_ms", 30);
    private static final String COMMAND = "vllm serve Qwen/Qwen3-32B-FP8 --tensor-parallel-size 8 --kv-cache-dtype fp8";
    private static final int MEGABYTE = 1 << 20;

    @LocalServerPort
    private int port;

    @Autowired
    @Qualifier("waiting")
    private CallerQuota waiting;

    private static Map<String, Object> with(Map<String, Object> arguments, Object... more) {
        Map<String, Object> all = new HashMap<>(arguments);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i].toString(), more[i + 1]);
        }
        return all;
    }

    private static Map<String, Object> without(Map<String, Object> arguments, String name) {
        Map<String, Object> others = new HashMap<>(arguments);
        others.remove(name);
        return others;
    }

    private McpSyncClient client(String key) {
        McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + port)
                        .endpoint("/mcp")
                        .addHttpRequestCustomizer(
                                (request, _, _, _, _) -> request.header("Authorization", "Bearer " + key))
                        .build())
                .build();
        client.initialize();
        return client;
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    private static JsonPath content(CallToolResult result) {
        return JsonPath.from(WireFormat.write(requireNonNull(result.structuredContent())))
                .using(JsonPathConfig.jsonPathConfig().numberReturnType(NumberReturnType.DOUBLE));
    }

    private static CallToolResult accepted(McpSyncClient client, String tool, Map<String, Object> arguments) {
        CallToolResult result = call(client, tool, arguments);
        assertThat(result.isError()).as(text(result)).isFalse();
        return result;
    }

    /// Arguments of each tool.
    private static Map<String, Map<String, Object>> calls() {
        String metrics = Examples.text("server-metrics.txt");
        Map<String, Map<String, Object>> calls = new HashMap<>();
        calls.put("plan", SERVICE);
        calls.put("capacity", with(SERVICE, "num_devices", 64, "requests_per_s", 12, "headroom", 0.2));
        calls.put(
                "autoscaling",
                with(
                        SERVICE,
                        "num_devices",
                        64,
                        "requests_per_s",
                        12,
                        "formats",
                        List.of("keda", "hpa"),
                        "rate_profile",
                        Collections.nCopies(24, 2.5)));
        calls.put("explain", SERVICE);
        calls.put("what_fits", Map.of("model_id", "Qwen/Qwen3-32B", "devices", List.of("H100_SXM"), "num_devices", 8));
        calls.put("compare_devices", with(SERVICE, "devices", List.of("H100_SXM", "H200_SXM")));
        calls.put("launch_command", SERVICE);
        calls.put("list_models", Map.of("q", "qwen3 32b"));
        calls.put("list_devices", Map.of());
        calls.put("read_command", Map.of("command", COMMAND));
        calls.put("read_metrics", Map.of("text", metrics));
        calls.put("compare_running", Map.of("command", COMMAND, "metrics", metrics, "device", "H100_SXM"));
        return calls;
    }

    @Test
    void aClientCallsEveryTool() {
        try (McpSyncClient client = client(key(Role.SUBMIT))) {
            assertThat(client.listTools().tools())
                    .extracting(McpSchema.Tool::name)
                    .containsExactlyElementsOf(
                            ToolTable.get().tools().stream().map(Tool::name).toList())
                    .containsExactlyInAnyOrderElementsOf(calls().keySet());
            calls().forEach((tool, arguments) -> {
                CallToolResult result = accepted(client, tool, arguments);
                assertThat(text(result)).contains("\nNext: ").hasSizeLessThanOrEqualTo(1_500);
            });
        }
    }

    @Test
    void sizesComparesAndLaunchesInFourCalls() {
        try (McpSyncClient client = client(key(Role.SUBMIT))) {
            Map<String, Object> demand = with(SERVICE, "num_devices", 128, "requests_per_s", 50, "headroom", 0.2);
            List<CallToolResult> results = List.of(
                    accepted(client, "list_models", Map.of("q", "qwen3-32b")),
                    accepted(client, "capacity", demand),
                    accepted(client, "compare_devices", with(SERVICE, "devices", List.of("H100_SXM", "H200_SXM"))),
                    accepted(client, "launch_command", with(demand, "engine", "vllm")));

            assertThat(content(results.get(1)).getInt("best.num_devices")).isPositive();
            assertThat(content(results.get(1)).getInt("deployments[0].num_devices_unfavourable"))
                    .isPositive();
            assertThat(content(results.get(2)).getList("ranking.device"))
                    .containsExactlyInAnyOrder("H100_SXM", "H200_SXM");
            assertThat(content(results.get(3)).getString("script")).contains("vllm serve");
            if (System.getProperty("mcp.transcript") != null) {
                results.forEach(result -> System.out.println("---\n" + text(result)));
            }
        }
    }

    @Test
    void aPlanIsThatOfTheApi() {
        String key = key(Role.SUBMIT);
        JsonPath rest = jsonAs(key, """
                        {"model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
                         "quantization": {"scheme": "FP8"}, "slo": {"ttft_ms": 1000, "tpot_ms": 30},
                         "workload": {"input_length": 3500, "output_length": 1500}}""")
                .queryParam("store", "false")
                .post(OPTIMIZATIONS)
                .jsonPath();
        try (McpSyncClient client = client(key)) {
            JsonPath plan = content(accepted(client, "plan", SERVICE));

            assertThat(plan.<Object>get("best")).isEqualTo(rest.get("result.best"));
            assertThat(plan.<Object>get("rows.tokens_per_s"))
                    .isEqualTo(rest.get("result.devices[0].phases[0].rows.tokens_per_s"));
            assertThat(plan.<Object>get("rows.tpot_ms_band"))
                    .isEqualTo(rest.get("result.devices[0].phases[0].rows.tpot_ms_band"));
            assertThat(plan.getString("cost_model")).isEqualTo("calibrated");
        }
    }

    @Test
    void everyCallHasTheRolesOfItsKey() {
        api().contentType(ContentType.JSON)
                .body(message("tools/list", "{}"))
                .post("/mcp")
                .then()
                .statusCode(401)
                .header("WWW-Authenticate", startsWith("Bearer"));
        try (McpSyncClient reader = client(key(Role.READ))) {
            assertThat(content(accepted(reader, "list_models", Map.of("q", "qwen3", "limit", 3)))
                            .getList("models"))
                    .hasSize(3);
            CallToolResult refused = call(reader, "plan", SERVICE);

            assertThat(refused.isError()).isTrue();
            assertThat(content(refused).getString("type")).isEqualTo("/problems/role-needed");
        }
    }

    /// Fails when tools run on another thread than that of their request, where every caller is anybody.
    @Test
    void noToolSeesWhatAnotherKeySees() {
        String first = key(Role.SUBMIT);
        String id = jsonAs(first, Examples.text("measurements.json"))
                .post("/api/v1/measurements")
                .then()
                .statusCode(201)
                .extract()
                .path("id");
        Map<String, Object> learning = with(
                SERVICE,
                "backend",
                "vllm",
                "version",
                "0.11.0",
                "request",
                Map.of("cost_model", "calibrated", "feedback", Map.of("measurements", List.of(id))));
        try (McpSyncClient owner = client(first);
                McpSyncClient other = client(key(Role.SUBMIT))) {
            CallToolResult known = accepted(owner, "plan", learning);
            CallToolResult unknown = call(other, "plan", learning);

            assertThat(unknown.isError()).isTrue();
            assertThat(text(unknown)).contains(id);
            assertThat(text(known)).doesNotContain(id);
        }
    }

    @Test
    void aBusyServiceNamesTheWait() {
        CallerId caller = CallerId.ofOwner("key:" + freshName());
        String key = key(caller.name().substring(4), Role.SUBMIT);
        int taken = 0;
        while (waiting.take(caller)) {
            taken++;
        }
        try (McpSyncClient client = client(key)) {
            for (String tool : List.of("plan", "launch_command")) {
                CallToolResult busy = call(client, tool, SERVICE);

                assertThat(busy.isError()).isTrue();
                assertThat(content(busy).getString("type")).isEqualTo("/problems/searches-busy");
                assertThat(content(busy).getInt("retry_after_s")).isPositive();
                assertThat(content(busy).getString("next.tool")).isEqualTo(tool);
                assertThat(text(busy)).containsPattern("Next: after [0-9]+ s, " + tool + " with ");
            }
            for (; taken > 0; taken--) {
                waiting.giveBack(caller);
            }
            accepted(client, "plan", SERVICE);
        }
    }

    private static String message(String method, String params) {
        return "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"" + method + "\", \"params\": " + params + "}";
    }

    private Response post(String body) {
        return jsonAs(key(Role.SUBMIT), body)
                .accept("application/json, text/event-stream")
                .post("/mcp");
    }

    private static void hasNoClassName(Response response) {
        assertThat(response.asString()).doesNotContainPattern("(java|io|org|tools|com)\\.[a-z]+\\.|Exception");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "7",
                "{\"jsonrpc\": \"2.0\"}",
                "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}]",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}",
                "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": {\"a\": 1}, \"params\": []} ]"
            })
    void aBodyThatIsNoMessageIsRejected(String body) {
        Response response = post(body);

        hasNoClassName(response);
        response.then().statusCode(400).body("error.code", equalTo(-32700));
    }

    @Test
    void wrongParamsAreNamed() {
        for (String params : List.of("[]", "7", "{\"name\": 7}", "{\"name\": \"plan\", \"arguments\": 7}", "{}")) {
            Response response = post(message("tools/call", params));

            hasNoClassName(response);
            response.then().statusCode(200).body("error.code", equalTo(-32602)).body("id", equalTo(7));
        }
        post(message("nothing", "{}")).then().statusCode(200).body("error.code", equalTo(-32601));
        try (McpSyncClient client = client(key(Role.SUBMIT))) {
            assertThatThrownBy(() -> call(client, "nothing", Map.of()))
                    .isInstanceOfSatisfying(
                            McpError.class,
                            error -> assertThat(requireNonNull(error.getJsonRpcError())
                                            .code())
                                    .isEqualTo(-32602));
        }
    }

    @Test
    void longBodiesForeignOriginsAndForeignHostsAreRejected() throws IOException {
        String key = key(Role.SUBMIT);
        Response tooLong = post(message("tools/list", "{\"a\": \"" + "a".repeat(3 * MEGABYTE) + "\"}"));
        hasNoClassName(tooLong);
        tooLong.then().statusCode(413);

        Response foreign = jsonAs(key, message("tools/list", "{}"))
                .header("Origin", "https://other.example")
                .post("/mcp");
        hasNoClassName(foreign);
        foreign.then().statusCode(403);
        jsonAs(key, message("tools/list", "{}"))
                .header("Origin", "http://localhost:" + port)
                .header("Host", "localhost:" + port)
                .post("/mcp")
                .then()
                .statusCode(200);

        assertThat(RawExchange.answer(port, "POST /mcp HTTP/1.1", "Host: other.example"))
                .startsWith("HTTP/1.1 421 ");
        as(key).get("/mcp").then().statusCode(405);
        as(key).contentType("text/plain")
                .body(message("tools/list", "{}"))
                .post("/mcp")
                .then()
                .statusCode(415);
    }

    @Test
    void errorsNameACallThatItsToolTakes() {
        Map<String, String> next = new HashMap<>();
        Map<String, Object> large = Map.of(
                "model_id",
                "Qwen/Qwen3-8B",
                "devices",
                List.of("TEST_DEVICE", "H100_SXM"),
                "num_devices",
                64,
                "input_length",
                1_000,
                "output_length",
                100,
                "request",
                Map.of(
                        "mode", "disaggregation",
                        "slo", Map.of("ttft_ms", 200_000),
                        "search", Map.of("batch_range", List.of(1, 400_000), "strategy", "exhaustive")));
        try (McpSyncClient client = client(key(Role.SUBMIT))) {
            Map<String, McpSchema.Tool> tools = new HashMap<>();
            client.listTools().tools().forEach(tool -> tools.put(tool.name(), tool));
            Map<String, List<Object>> wrong = new HashMap<>();
            wrong.put("model", List.of("plan", with(SERVICE, "model_id", "Qwen/Qwen9-32B")));
            wrong.put("no model", List.of("plan", without(SERVICE, "model_id")));
            wrong.put("device", List.of("plan", with(SERVICE, "devices", List.of("H100_SXM", "8xH900"))));
            wrong.put("no device", List.of("capacity", without(SERVICE, "devices")));
            wrong.put("limit", List.of("plan", with(SERVICE, "ttft_ms", -1)));
            wrong.put("lengths", List.of("plan", without(SERVICE, "input_length")));
            wrong.put("unknown", List.of("plan", with(SERVICE, "gpu", "H100")));
            wrong.put("request", List.of("plan", with(SERVICE, "request", "x")));
            wrong.put("rank", List.of("launch_command", with(SERVICE, "rank", 1_000)));
            wrong.put("engine", List.of("launch_command", with(SERVICE, "engine", "mindie")));
            wrong.put(
                    "metrics",
                    List.of("compare_running", Map.of("command", COMMAND, "metrics", "x", "device", "H100_SXM")));
            wrong.put(
                    "device of a server",
                    List.of(
                            "compare_running",
                            Map.of(
                                    "command",
                                    COMMAND,
                                    "metrics",
                                    Examples.text("server-metrics.txt"),
                                    "device",
                                    "H900")));
            wrong.put("command", List.of("read_command", Map.of("command", "ls")));
            wrong.put(
                    "source",
                    List.of("read_metrics", Map.of("text", Examples.text("server-metrics.txt"), "source", "tgi")));
            wrong.put("large", List.of("plan", large));
            wrong.forEach((name, question) -> {
                @SuppressWarnings("unchecked")
                CallToolResult result =
                        call(client, question.getFirst().toString(), (Map<String, Object>) question.getLast());
                assertThat(result.isError()).as(name).isTrue();
                JsonPath problem = content(result);
                assertThat(problem.getString("type")).as(name).startsWith("/problems/");
                McpSchema.Tool tool = requireNonNull(tools.get(problem.getString("next.tool")), name);
                assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                                .getSchema(WireFormat.write(without(tool.inputSchema(), "required")))
                                .validate(WireFormat.write(problem.getMap("next.arguments")), InputFormat.JSON))
                        .as(name)
                        .isEmpty();
                assertThat(text(result)).contains("\nNext: ").contains(tool.name());
                next.put(name, tool.name());
            });
            assertThat(content(accepted(client, "list_models", Map.of("q", "Qwen/Qwen9-32B")))
                            .getList("models.id"))
                    .isNotEmpty();
            CallToolResult nothing = accepted(client, "plan", with(SERVICE, "tpot_ms", 1));
            assertThat(text(nothing)).contains("Next: what_fits");
        }
        assertThat(next)
                .containsEntry("model", "list_models")
                .containsEntry("no model", "list_models")
                .containsEntry("device", "list_devices")
                .containsEntry("no device", "list_devices")
                .containsEntry("device of a server", "list_devices")
                .containsEntry("metrics", "read_metrics")
                .containsEntry("engine", "plan")
                .containsEntry("large", "plan");
    }

    @Test
    void resultsAreShort() {
        Random random = new Random(20261128);
        List<String> models =
                List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3", "openai/gpt-oss-120b");
        List<String> devices = List.of("H100_SXM", "H200_SXM", "B200_SXM", "A100_SXM", "ATLAS_800_A2_376T_64G", "L40S");
        List<String> tools = List.of("plan", "capacity", "compare_devices", "what_fits", "launch_command");
        try (McpSyncClient client = client(key(Role.SUBMIT))) {
            assertThat(post(message("tools/list", "{}")).asString().getBytes(StandardCharsets.UTF_8))
                    .hasSizeLessThanOrEqualTo(24 * 1024);
            assertThat(requireNonNull(client.getServerInstructions())).hasSizeLessThanOrEqualTo(600);
            for (int i = 0; i < 100; i++) {
                String tool = tools.get(random.nextInt(tools.size()));
                Map<String, Object> arguments = new HashMap<>(Map.of(
                        "model_id", models.get(random.nextInt(models.size())),
                        "devices", List.copyOf(new ArrayList<>(devices).subList(random.nextInt(5), 6)),
                        "num_devices", 1 << random.nextInt(6)));
                if (!tool.equals("what_fits")) {
                    arguments.putAll(Map.of(
                            "input_length", 1 + random.nextInt(8_000), "output_length", 1 + random.nextInt(2_000)));
                    arguments.put("tpot_ms", 10 + random.nextInt(90));
                }
                if (tool.equals("capacity")) {
                    arguments.put("requests_per_s", 0.5 + random.nextInt(20));
                }
                CallToolResult result = call(client, tool, arguments);

                assertThat(text(result)).hasSizeLessThanOrEqualTo(1_500).contains("Next: ");
                assertThat(WireFormat.write(requireNonNull(result.structuredContent())))
                        .hasSizeLessThanOrEqualTo(16_384);
            }
        }
    }

    @Test
    void resourcesAndPromptsAreThere() {
        try (McpSyncClient client = client(key(Role.READ))) {
            assertThat(client.listResources().resources()).hasSizeGreaterThan(8).allSatisfy(resource -> {
                String page = ((TextResourceContents) client.readResource(ReadResourceRequest.builder(resource.uri())
                                        .build())
                                .contents()
                                .getFirst())
                        .text();
                assertThat(page).startsWith("# ").hasSizeLessThan(64 * 1024);
            });
            assertThat(client.listPrompts().prompts())
                    .extracting(McpSchema.Prompt::name)
                    .containsExactlyInAnyOrder("size_a_service", "improve_my_server", "why_this_layout");
            TextContent prompt = (TextContent) client.getPrompt(GetPromptRequest.builder("size_a_service")
                            .arguments(Map.of("model_id", "Qwen/Qwen3-32B", "requests_per_s", "50"))
                            .build())
                    .messages()
                    .getFirst()
                    .content();
            assertThat(prompt.text()).contains("Qwen/Qwen3-32B at 50 requests", "capacity", "launch_command");
        }
    }

    static List<Tool> tools() {
        return ToolTable.get().tools();
    }

    @ParameterizedTest
    @MethodSource("tools")
    void theSkillAndThePageNameTheTool(Tool tool) throws IOException {
        assertThat(api().get("/skills/size-llm-serving/SKILL.md").asString())
                .contains("| " + tool.question() + " | `" + tool.name() + "` |");
        assertThat(Files.readString(Path.of("docs", "how-to", "use-an-agent.md")))
                .contains("`" + tool.name() + "`");
    }

    @Test
    void filesForAgentsNeedNoKey() {
        String skill = api().get("/skills/size-llm-serving/SKILL.md")
                .then()
                .statusCode(200)
                .extract()
                .asString();
        String index = api().get("/llms.txt").then().statusCode(200).extract().asString();

        assertThat(skill.lines()).hasSizeLessThan(160).startsWith("---", "name: size-llm-serving");
        assertThat(index)
                .startsWith("# throughput-optimizer\n\n> " + ToolTable.get().instructions() + "\n")
                .contains("\n## Optional\n");
        ToolTable.get().pages().forEach(page -> {
            assertThat(index).contains("- [" + page.title() + "](agents/" + page.file() + "): " + page.about() + "\n");
            api().get("/agents/" + page.file()).then().statusCode(200).contentType("text/markdown");
        });
        api().get("/agents/nothing.md").then().statusCode(404);
    }
}
