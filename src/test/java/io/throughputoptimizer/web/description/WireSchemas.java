package io.throughputoptimizer.web.description;

import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.Applicability;
import io.throughputoptimizer.catalog.DeviceDocument;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceEffective;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Corrects the generated schemas of this service's records, since the generator does not know the wire format:
/// what members are called, which are required, which cost models and modes take them, and that requests take no
/// others. Descriptions and examples that no annotation has are those of the committed API description.
final class WireSchemas implements ModelConverter, GlobalOpenApiCustomizer {
    /// Records that are described, for the whole process like the generator's converters: only one of several
    /// contexts calls them.
    private static final Set<Class<?>> ROOTS = ConcurrentHashMap.newKeySet();

    private final JsonNode committed =
            new YAMLMapper().readTree(Path.of("openapi", "openapi.yaml")).at("/components/schemas");

    /// Notes which records are described.
    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        if (type.getType() instanceof Class<?> known && known.isRecord()) {
            ROOTS.add(known);
        }
        Schema<?> resolved = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
        if (resolved != null && resolved.getEnum() != null) {
            nameConstants(resolved, Json.mapper().constructType(type.getType()).getRawClass());
        }
        return resolved;
    }

    /// Names the constants of an enum as the wire does.
    @SuppressWarnings({"rawtypes", "unchecked"}) // The generator's model is raw.
    private static void nameConstants(Schema schema, Class<?> type) {
        if (type.isEnum()) {
            schema.setEnum(
                    Stream.of(type.getEnumConstants()).map(WireFormat::name).toList());
        }
    }

    @Override
    public void customise(OpenAPI api) {
        Map<String, Class<?>> records = new HashMap<>();
        ROOTS.forEach(root -> collect(root, records));
        Map<String, Class<?>> incoming = new HashMap<>();
        ROOTS.stream().filter(WireMember::isRequest).forEach(root -> collect(root, incoming));
        api.getComponents().getSchemas().forEach((name, schema) -> {
            Class<?> type = records.get(name);
            if (type != null && schema.getProperties() != null) {
                correct(schema, type, committed.path(name));
                schema.setDescription(described(type, schema.getDescription()));
                fillIn(schema, committed.path(name));
                if (type.getPackage().equals(DeviceDocument.class.getPackage()) && type != DeviceEffective.class) {
                    bound(schema);
                }
                if (incoming.containsKey(name)) {
                    describeRequest(schema);
                }
            }
        });
    }

    /// Adds a record, and those it is made of, by the names of their schemas.
    private static void collect(Type type, Map<String, Class<?>> records) {
        if (type instanceof ParameterizedType generic) {
            for (Type argument : generic.getActualTypeArguments()) {
                collect(argument, records);
            }
        }
        if (type instanceof Class<?> known && known.isRecord() && records.put(schemaName(known), known) == null) {
            for (RecordComponent component : known.getRecordComponents()) {
                collect(component.getGenericType(), records);
            }
        }
    }

    private static String schemaName(Class<?> type) {
        var schema = type.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        return schema == null || schema.name().isEmpty() ? type.getSimpleName() : schema.name();
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // The generator's model is raw.
    private static void correct(Schema schema, Class<?> type, JsonNode committed) {
        Map<String, Schema> generated = schema.getProperties();
        Map<String, Schema> properties = new LinkedHashMap<>();
        List<WireMember> members = WireMember.of(type);
        for (WireMember member : members) {
            Schema property = generated.getOrDefault(member.component(), generated.get(member.name()));
            if (property != null) {
                if (member.isOneOrMore()) {
                    takePlain(property);
                }
                property.setDescription(described(member.source(), property.getDescription()));
                fillIn(property, committed.path("properties").path(member.name()));
                properties.put(member.name(), property.get$ref() == null ? property : reference(property));
            }
        }
        schema.setProperties(properties);
        Set<String> declared = declaredRequired(type);
        schema.setRequired(members.stream()
                .filter(member -> member.isRequired() || declared.contains(member.name()))
                .map(WireMember::name)
                .filter(properties::containsKey)
                .toList());
    }

    /// States the range of numbers of a device, where they have no other.
    @SuppressWarnings({"rawtypes", "unchecked"}) // The generator's model is raw.
    private static void bound(Schema<?> schema) {
        for (Schema property : schema.getProperties().values()) {
            if (property.getTypes() != null && property.getTypes().contains("number")) {
                property.setMinimum(requireNonNullElse(property.getMinimum(), new BigDecimal("0.000001")));
                property.setMaximum(requireNonNullElse(property.getMaximum(), new BigDecimal("1000000000")));
            }
        }
    }

    /// Adds the committed description and example where there is none.
    private static void fillIn(Schema<?> schema, JsonNode committed) {
        if (schema.getDescription() == null && committed.has("description")) {
            String text = committed.required("description").asString();
            schema.setDescription(schema.getDefault() == null ? text : text.replace(stated(schema), ""));
        }
        if (schema.getExample() == null && committed.has("example")) {
            schema.setExample(JsonMapper.shared().treeToValue(committed.required("example"), Object.class));
        }
    }

    private static String stated(Schema<?> schema) {
        return " Default: `" + schema.getDefault() + "`.";
    }

    private static @Nullable String described(AnnotatedElement element, @Nullable String description) {
        return description == null ? null : Applicability.described(element, description);
    }

    /// A list, or one of its elements by itself. Both are described without a type, which some makers of clients take
    /// for the only one; and where a list is one of several alternatives, others make what cannot be compiled.
    @SuppressWarnings({"rawtypes", "unchecked"}) // The generator's model is raw.
    private static void takePlain(Schema list) {
        Schema<?> element = list.getItems();
        list.setTypes(null);
        list.setMinimum(element.getMinimum());
        list.setMaximum(element.getMaximum());
        if (element.getEnum() != null) {
            list.setPattern(
                    element.getEnum().stream().map(String::valueOf).collect(Collectors.joining("|", "^(", ")$")));
        }
    }

    /// Without what the generator adds from the Java type, which need not be that of the schema referred to.
    private static Schema<?> reference(Schema<?> property) {
        return new Schema<>().$ref(property.get$ref()).description(property.getDescription());
    }

    /// Members that may be absent while a document is being read, but not in a valid one.
    private static Set<String> declaredRequired(Class<?> type) {
        var schema = type.getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        return schema == null ? Set.of() : Set.of(schema.requiredProperties());
    }

    /// Says what holds of a request, in the way that makers of clients understand. Under `additionalProperties: false`
    /// some make a map without members; of a member with a `default` one that has to be given; and of a list that
    /// cannot be null one that is sent empty when it was never set, which means something else.
    @SuppressWarnings({"rawtypes", "unchecked"}) // The generator's model is raw.
    private static void describeRequest(Schema schema) {
        schema.setUnevaluatedProperties(new Schema<>().booleanSchemaValue(false));
        Map<String, Schema> properties = schema.getProperties();
        properties.forEach((name, property) -> {
            boolean required =
                    schema.getRequired() != null && schema.getRequired().contains(name);
            if (!required && property.getTypes() != null && property.getTypes().contains("array")) {
                property.addType("null");
            }
            if (property.getDefault() != null) {
                property.setDescription(property.getDescription() + stated(property));
                property.setDefault(null);
                property.setDefaultSetFlag(false); // else it is written as null
            }
        });
    }
}
