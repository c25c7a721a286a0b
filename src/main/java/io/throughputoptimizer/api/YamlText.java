package io.throughputoptimizer.api;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Documents of this project that are written in YAML.
public final class YamlText {
    private static final YAMLMapper YAML = new YAMLMapper();

    private YamlText() {}

    /// Converts a document to JSON, fields in their order.
    ///
    /// @param yaml document in UTF-8
    /// @throws tools.jackson.core.JacksonException if it is no YAML
    public static byte[] toJson(byte[] yaml) {
        return JsonMapper.shared().writeValueAsBytes(YAML.readTree(yaml));
    }

    /// Converts the description of the API to JSON for viewers, which take seconds to resolve the schemas of
    /// responses: responses keep their examples alone, and POST stands first in each path.
    ///
    /// @param yaml description in UTF-8
    public static byte[] toJsonForViewers(byte[] yaml) {
        JsonNode description = YAML.readTree(yaml);
        description.path("paths").forEach(path -> {
            ObjectNode operations = (ObjectNode) path;
            operations.properties().stream()
                    .flatMap(operation -> operation.getValue().path("responses").valueStream())
                    .flatMap(response -> response.path("content").valueStream())
                    .forEach(content ->
                            ((ObjectNode) content).putObject("schema").put("type", "object"));
            JsonNode post = operations.remove("post");
            if (post != null) {
                ObjectNode others = operations.deepCopy();
                operations.removeAll().set("post", post);
                operations.setAll(others);
            }
        });
        return JsonMapper.shared().writeValueAsBytes(description);
    }
}
