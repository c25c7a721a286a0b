package io.throughputoptimizer.api;

import tools.jackson.databind.json.JsonMapper;
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
}
