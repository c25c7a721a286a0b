package io.throughputoptimizer.web;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The API description that the service serves.
record ApiDescription(JsonNode root) {
    static ApiDescription of(String json) {
        return new ApiDescription(JsonMapper.shared().readTree(json));
    }

    /// An operation by its method and path, as in `POST /api/v1/estimates`.
    record Operation(String method, String path, JsonNode node) {
        String name() {
            return method.toUpperCase(Locale.ROOT) + " " + path;
        }
    }

    List<Operation> operations() {
        return root.required("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .map(operation -> new Operation(operation.getKey(), path.getKey(), operation.getValue())))
                .toList();
    }

    JsonNode schemas() {
        return root.required("components").required("schemas");
    }

    /// Values of the examples of a media type.
    static Stream<JsonNode> examples(JsonNode mediaType) {
        return Stream.concat(
                Stream.of(mediaType.path("example")).filter(example -> !example.isMissingNode()),
                mediaType.path("examples").valueStream().map(example -> example.required("value")));
    }

    /// Media types of the answers with an error status, by status.
    static List<Entry<String, JsonNode>> problems(Operation operation) {
        return operation.node().required("responses").properties().stream()
                .filter(response ->
                        !response.getKey().startsWith("2") && !response.getKey().startsWith("3"))
                .map(response -> Map.entry(
                        response.getKey(),
                        response.getValue().required("content").required("application/problem+json")))
                .toList();
    }

    /// What a document breaks of a schema; members that the schema does not know count too.
    List<String> violations(String schema, String document) {
        ObjectNode open = JsonMapper.shared().createObjectNode();
        open.put("$ref", "#/components/schemas/" + schema);
        ObjectNode components = open.putObject("components");
        components.set("schemas", schemas().deepCopy());
        for (JsonNode known : components.required("schemas")) {
            if (!known.has("oneOf")) { // its alternatives are closed themselves
                ((ObjectNode) known).put("additionalProperties", false);
            }
        }
        List<String> violations = new ArrayList<>();
        for (Error error : SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(open)
                .validate(JsonMapper.shared().readTree(document))) {
            violations.add(error.toString());
        }
        return violations;
    }
}
