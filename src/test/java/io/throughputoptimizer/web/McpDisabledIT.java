package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// A service without the endpoint for agents.
@EveryNight
@TestPropertySource(properties = "optimizer.mcp.enabled=false")
class McpDisabledIT extends HttpTest {

    @Test
    void nothingIsAtTheEndpoint() {
        json("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}")
                .post("/mcp")
                .then()
                .statusCode(404);
        api().get("/llms.txt").then().statusCode(200);
    }
}
