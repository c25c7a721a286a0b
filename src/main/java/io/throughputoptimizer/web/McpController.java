package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.swagger.v3.oas.annotations.Hidden;
import io.throughputoptimizer.security.Guard;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.bound.LimitedBody;
import io.throughputoptimizer.web.mcp.Json;
import io.throughputoptimizer.web.mcp.ToolResult;
import io.throughputoptimizer.web.mcp.ToolTable;
import io.throughputoptimizer.web.mcp.ToolTable.Page;
import io.throughputoptimizer.web.mcp.ToolTable.Prompt;
import io.throughputoptimizer.web.mcp.ToolTable.Tool;
import io.throughputoptimizer.web.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.info.BuildProperties;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.util.unit.DataSize;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsUtils;
import reactor.core.publisher.Mono;

/// The MCP endpoint: streamable HTTP without sessions, each message answered in JSON. Tools run in the thread of their
/// request, with the key of its caller.
@Hidden
@RestController
@ConditionalOnProperty(name = "optimizer.mcp.enabled", matchIfMissing = true)
final class McpController {
    static final String PATH = "/mcp";

    private static final Logger log = LoggerFactory.getLogger(McpController.class);
    private static final String MARKDOWN = "text/markdown";
    private static final JSONRPCError INVALID =
            new JSONRPCError(ErrorCodes.INVALID_PARAMS, "The params do not fit the method.", null);
    private static final byte[] BROKEN =
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"The body must be one JSON-RPC request or notification.\"}}"
                    .getBytes(StandardCharsets.UTF_8);

    private final McpJsonMapper mapper = McpJsonDefaults.getMapper();
    private final DataSize longest;
    private final McpStatelessServerHandler handler;

    McpController(McpTools tools, HttpLimits limits, ObjectProvider<BuildProperties> build) {
        this.longest = limits.longestBody();
        BuildProperties built = build.getIfAvailable();
        this.handler = handler(tools, built == null ? "0" : requireNonNullElse(built.getVersion(), "0"));
    }

    private McpStatelessServerHandler handler(McpTools tools, String version) {
        ToolTable table = ToolTable.get();
        Handlers handlers = new Handlers();
        var _ = McpServer.sync(handlers)
                .jsonMapper(mapper)
                .serverInfo("throughput-optimizer", version)
                .instructions(table.instructions())
                .capabilities(McpSchema.ServerCapabilities.builder()
                        .tools(false)
                        .resources(false, false)
                        .prompts(false)
                        .build())
                // Handlers on other threads would run without the caller.
                .immediateExecution(true)
                // The readers of the REST API check arguments, with pointers.
                .validateToolInputs(false)
                .jsonSchemaValidator((_, _) -> ValidationResponse.asValid(null))
                .tools(table.tools().stream().map(tool -> tool(tool, tools)).toList())
                .resources(table.pages().stream().map(McpController::resource).toList())
                .prompts(table.prompts().stream().map(McpController::prompt).toList())
                .build();
        return requireNonNull(handlers.handler);
    }

    /// Handlers of the server, which the endpoint calls instead of a transport.
    private static final class Handlers implements McpStatelessServerTransport {
        private @Nullable McpStatelessServerHandler handler;

        @Override
        public void setMcpHandler(McpStatelessServerHandler handler) {
            this.handler = handler;
        }

        @Override
        public Mono<Void> closeGracefully() {
            return Mono.empty();
        }
    }

    @PostMapping(path = PATH, consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> receive(HttpServletRequest request, HttpServletResponse response) throws IOException {
        // The filter of other sites has named allowed origins in its header.
        if (CorsUtils.isCorsRequest(request) && response.getHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN) == null) {
            throw ProblemException.foreignOrigin();
        }
        WireMessageConverter.requirePlain(new ServletServerHttpRequest(request).getHeaders());
        String body =
                new String(new LimitedBody(request.getInputStream(), longest).readAllBytes(), StandardCharsets.UTF_8);
        JSONRPCMessage message;
        try {
            message = McpSchema.deserializeJsonRpcMessage(mapper, body);
        } catch (IOException | RuntimeException failure) {
            log.debug("a body is no message", failure);
            return ResponseEntity.badRequest().body(BROKEN);
        }
        Duration wait = Guard.wait(request);
        if (wait != null
                && !(message instanceof JSONRPCRequest call && McpSchema.METHOD_TOOLS_CALL.equals(call.method()))) {
            throw ProblemException.rateLimited(wait);
        }
        if (message instanceof JSONRPCRequest call) {
            return ResponseEntity.ok(mapper.writeValueAsString(answer(call)).getBytes(StandardCharsets.UTF_8));
        }
        if (message instanceof JSONRPCNotification notification) {
            handler.handleNotification(McpTransportContext.EMPTY, notification).block();
            return ResponseEntity.accepted().build();
        }
        return ResponseEntity.badRequest().body(BROKEN);
    }

    /// Returns the response to a request. Handlers of this class do not fail, so that failures are those of the params.
    private JSONRPCResponse answer(JSONRPCRequest call) {
        try {
            JSONRPCResponse response = requireNonNull(
                    handler.handleRequest(McpTransportContext.EMPTY, call).block());
            JSONRPCError error = response.error();
            return error != null && error.code() == ErrorCodes.INTERNAL_ERROR
                    ? JSONRPCResponse.error(call.id(), INVALID)
                    : response;
        } catch (RuntimeException failure) {
            log.debug("{} has other params", call.method(), failure);
            return JSONRPCResponse.error(call.id(), INVALID);
        }
    }

    private static SyncToolSpecification tool(Tool tool, McpTools tools) {
        return new SyncToolSpecification(
                McpSchema.Tool.builder(tool.name(), tool.schema())
                        .title(tool.title())
                        .description(tool.description())
                        .annotations(McpSchema.ToolAnnotations.builder()
                                .readOnlyHint(true)
                                .destructiveHint(false)
                                .idempotentHint(true)
                                .openWorldHint(false)
                                .build())
                        .build(),
                (_, call) -> {
                    ToolResult result = tools.call(tool, new Json(call.arguments()).members());
                    return CallToolResult.builder()
                            .addTextContent(result.text())
                            .structuredContent(result.content())
                            .isError(result.isError())
                            .build();
                });
    }

    private static SyncResourceSpecification resource(Page page) {
        return new SyncResourceSpecification(
                McpSchema.Resource.builder(page.uri(), page.name())
                        .title(page.title())
                        .description(page.about())
                        .mimeType(MARKDOWN)
                        .build(),
                (_, _) -> ReadResourceResult.builder(List.of(TextResourceContents.builder(page.uri(), page.text())
                                .mimeType(MARKDOWN)
                                .build()))
                        .build());
    }

    private static SyncPromptSpecification prompt(Prompt prompt) {
        return new SyncPromptSpecification(
                McpSchema.Prompt.builder(prompt.name())
                        .title(prompt.title())
                        .description(prompt.description())
                        .arguments(prompt.arguments().entrySet().stream()
                                .map(argument -> PromptArgument.builder(argument.getKey())
                                        .description(argument.getValue())
                                        .required(true)
                                        .build())
                                .toList())
                        .build(),
                (_, call) -> GetPromptResult.builder(List.of(PromptMessage.builder(
                                        McpSchema.Role.USER,
                                        TextContent.builder(prompt.message(new Json(call.arguments()).members()))
                                                .build())
                                .build()))
                        .build());
    }
}
