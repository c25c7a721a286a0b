package io.throughputoptimizer.web;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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

    /// Numbers of a schema with their bounds, by pointer; those inside its lists and derived ones are left out.
    Map<String, JsonNode> numbers(String schema) {
        Map<String, JsonNode> numbers = new LinkedHashMap<>();
        schemas().required(schema).path("properties").properties().forEach(member -> {
            String pointer = "/" + member.getKey();
            String reference = member.getValue().path("$ref").asString("").replaceFirst(".*/", "");
            if (member.getValue().path("type").asString("").equals("number")) {
                numbers.put(pointer, member.getValue());
            } else if (!reference.isEmpty() && !member.getKey().equals("effective")) {
                numbers(reference).forEach((rest, number) -> numbers.put(pointer + rest, number));
            }
        });
        return numbers;
    }

    /// What a document breaks of a schema; members that the schema does not know count too.
    List<String> violations(String schema, String document) {
        ObjectNode schemas = (ObjectNode) schemas().deepCopy();
        for (JsonNode known : schemas) {
            if (known.has("properties")) {
                ((ObjectNode) known).put("additionalProperties", false);
            }
        }
        return broken(schema, schemas, document);
    }

    /// What a document breaks of a schema as it stands.
    List<String> broken(String schema, String document) {
        return broken(schema, schemas(), document);
    }

    private static List<String> broken(String schema, JsonNode schemas, String document) {
        ObjectNode open = JsonMapper.shared().createObjectNode();
        open.put("$ref", "#/components/schemas/" + schema);
        open.putObject("components").set("schemas", schemas);
        List<String> violations = new ArrayList<>();
        for (Error error : SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(open)
                .validate(JsonMapper.shared().readTree(document))) {
            violations.add(error.toString());
        }
        return violations;
    }
}
