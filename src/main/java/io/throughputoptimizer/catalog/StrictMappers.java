package io.throughputoptimizer.catalog;

import io.throughputoptimizer.core.load.EngineSettings;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Strict object mappers: no unknown or repeated keys, no strings for numbers, no fractions for integers,
/// nothing after the end.
final class StrictMappers {
    static final ObjectMapper YAML = strict(YAMLMapper.builder(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()));
    /// Model configurations are written by Python, in which infinity is a number.
    static final ObjectMapper JSON = strict(JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS));

    /// Naming of enums in files: lower snake case.
    @EnumNaming(EnumNamingStrategies.SnakeCaseStrategy.class)
    private interface SnakeCase {}

    private StrictMappers() {}

    private static <M extends ObjectMapper, B extends MapperBuilder<M, B>> M strict(MapperBuilder<M, B> builder) {
        return builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .addMixIn(EngineSettings.Policy.class, SnakeCase.class)
                .addMixIn(LaunchOption.class, SnakeCase.class)
                .addMixIn(EngineOptions.Form.class, SnakeCase.class)
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .build();
    }
}
