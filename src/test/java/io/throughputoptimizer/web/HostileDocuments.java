package io.throughputoptimizer.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes request documents from the schemas of the API description: values at and beyond every bound, lists that are
/// long, nesting that is deep, members that are missing, unknown, given twice or of another type.
///
final class HostileDocuments {
    /// Marks texts that go into the document without their quotes.
    private static final String RAW = "raw:";

    /// Characters of a list, in the order of magnitude: several times what the service takes.
    private static final int LONGEST_LIST = 8_000_000;

    private static final List<String> NUMBERS = List.of(
            "0",
            "-1",
            "1",
            "2",
            "1000000",
            "1000001",
            "2147483647",
            "2147483648",
            "-2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "1e308",
            "1e999",
            "-1e999",
            "1e-999",
            "-0.0",
            "0.1",
            "1.5",
            "10000000000000000000000",
            "1e1000000000",
            "NaN",
            "Infinity",
            "0x10",
            "01",
            "9".repeat(2000),
            "0." + "3".repeat(2000));
    private static final List<String> TEXTS = List.of(
            "",
            " ",
            "inf",
            "-inf",
            "NaN",
            "null",
            "../../etc/passwd",
            "=1+1",
            "\u0000",
            "\ud800",
            "\u202eabc",
            "<b>",
            "'; --",
            "a".repeat(300),
            "x".repeat(100_000),
            "\u00e9".repeat(300),
            "%ff",
            "${jndi:x}",
            "@",
            "{}",
            "TEST_DEVICE ");

    private final JsonNode schemas;
    private final List<String> models;
    private final List<String> devices;

    /// @param schemas by name
    /// @param models ids that requests may name
    /// @param devices names that requests may name
    HostileDocuments(JsonNode schemas, List<String> models, List<String> devices) {
        this.schemas = schemas;
        this.models = models;
        this.devices = devices;
    }

    /// A document of a schema, its members by chance and its values within their bounds, so far as the schema tells.
    JsonNode valid(JsonNode schema, RandomGenerator random) {
        if (schema.has("$ref")) {
            String reference = schema.required("$ref").asString();
            return valid(schemas.required(reference.substring(reference.lastIndexOf('/') + 1)), random);
        }
        if (schema.has("enum")) {
            return pick(schema.required("enum").valueStream().toList(), random);
        }
        if (schema.has("oneOf") || schema.has("anyOf")) {
            JsonNode alternatives = schema.has("oneOf") ? schema.required("oneOf") : schema.required("anyOf");
            return valid(pick(alternatives.valueStream().toList(), random), random);
        }
        String type = schema.path("type").asString("object");
        return switch (type) {
            case "array" -> list(schema, random);
            case "boolean" -> JsonMapper.shared().getNodeFactory().booleanNode(random.nextBoolean());
            case "integer", "number" -> number(schema, type.equals("integer"), random);
            case "string" -> schema.path("example").isString() ? schema.required("example") : text(pick(TEXTS, random));
            default -> object(schema, random);
        };
    }

    private ObjectNode object(JsonNode schema, RandomGenerator random) {
        List<String> required =
                schema.path("required").valueStream().map(JsonNode::asString).toList();
        ObjectNode document = JsonMapper.shared().createObjectNode();
        for (Entry<String, JsonNode> member : schema.path("properties").properties()) {
            if (required.contains(member.getKey()) || random.nextInt(3) == 0) {
                document.set(member.getKey(), named(member.getKey(), member.getValue(), random));
            }
        }
        return document;
    }

    private JsonNode named(String member, JsonNode schema, RandomGenerator random) {
        return switch (member) {
            case "model_id" -> text(pick(models, random));
            case "device" -> text(pick(devices, random));
            case "devices" ->
                JsonMapper.shared().createArrayNode().add(pick(devices, random)).add(pick(devices, random));
            default -> valid(schema, random);
        };
    }

    private ArrayNode list(JsonNode schema, RandomGenerator random) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        int most = Math.min(schema.path("maxItems").asInt(4), 4);
        int least = schema.path("minItems").asInt(0);
        for (int size = least + random.nextInt(most - least + 1); size > 0; size--) {
            list.add(valid(schema.path("items"), random));
        }
        return list;
    }

    /// One of the bounds, or something small between them.
    private static JsonNode number(JsonNode schema, boolean whole, RandomGenerator random) {
        double least = schema.path("minimum").asDouble(0);
        double most = schema.path("maximum").asDouble(1_000_000);
        double value = switch (random.nextInt(6)) {
            case 0 -> least;
            case 1 -> most;
            case 2 -> schema.path("example").asDouble(least);
            default -> Math.min(most, least + Math.pow(10, random.nextDouble(4)));
        };
        return whole
                ? JsonMapper.shared().getNodeFactory().numberNode((long) value)
                : JsonMapper.shared().getNodeFactory().numberNode(value);
    }

    /// The document with one of its values, or more, made bad.
    JsonNode spoilt(JsonNode document, RandomGenerator random) {
        JsonNode spoilt = document.deepCopy();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            List<JsonNode> containers = new ArrayList<>();
            collect(spoilt, containers);
            if (!containers.isEmpty()) {
                spoil(pick(containers, random), random);
            }
        }
        return spoilt;
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainer() && containers.size() < 1_000) {
            containers.add(node);
            node.valueStream().forEach(member -> collect(member, containers));
        }
    }

    private static void spoil(JsonNode container, RandomGenerator random) {
        if (container instanceof ObjectNode object && !object.isEmpty()) {
            String member = pick(object.propertyNames().stream().toList(), random);
            switch (random.nextInt(8)) {
                case 0 -> object.remove(member);
                case 1 -> object.set("unknown_" + member, bad(random));
                case 2 -> object.set(member, longList(object.required(member), random));
                default -> object.set(member, bad(random));
            }
        } else if (container instanceof ArrayNode array) {
            if (array.isEmpty() || random.nextInt(3) == 0) {
                array.add(bad(random));
            } else {
                array.set(random.nextInt(array.size()), bad(random));
            }
        }
    }

    private static JsonNode bad(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> JsonMapper.shared().getNodeFactory().nullNode();
            case 1 -> JsonMapper.shared().createObjectNode();
            case 2 -> JsonMapper.shared().createArrayNode();
            case 3 -> text(pick(TEXTS, random));
            case 4 -> text(RAW + "[".repeat(10 + random.nextInt(3_000)));
            default -> text(RAW + pick(NUMBERS, random));
        };
    }

    private static JsonNode longList(JsonNode element, RandomGenerator random) {
        ArrayNode list = JsonMapper.shared().createArrayNode();
        boolean other = random.nextBoolean() || element.isContainer();
        JsonNode repeated = other ? text(RAW + pick(NUMBERS, random)) : element;
        int most = LONGEST_LIST / repeated.toString().length();
        for (int size = Math.min(random.nextInt(30_000), most); size > 0; size--) {
            list.add(repeated);
        }
        return list;
    }

    /// The document as text, raw values without their quotes, now and then a member twice.
    static String written(JsonNode document, RandomGenerator random) {
        String json = document.toString().replaceAll("\"" + RAW + "([^\"]*)\"", "$1");
        return random.nextInt(30) == 0 ? json.replaceFirst("\\{", "{\"num_devices\": 1, \"num_devices\": 2, ") : json;
    }

    private static JsonNode text(String text) {
        return JsonMapper.shared().getNodeFactory().stringNode(text);
    }

    static <T> T pick(List<T> values, RandomGenerator random) {
        return values.get(random.nextInt(values.size()));
    }
}
