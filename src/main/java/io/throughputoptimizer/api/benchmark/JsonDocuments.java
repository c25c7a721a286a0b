package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads JSON documents that follow one another while they arrive, and keeps what figures of benchmarks are
/// read from: objects and numbers, texts under a few names, and of each list its first elements. So what tools
/// write of each request passes by, however long it is. Python's `NaN` and `Infinity` are numbers here; who
/// reads a member judges it.
final class JsonDocuments {
    /// Elements that are kept of a list: more than a set has rows, so that too many are noticed.
    private static final int ELEMENTS = 64;
    private static final int MOST_KEPT = 100_000;
    private static final int MOST_OF_OBJECT = 1_000;
    private static final int LONGEST_TEXT = 100_000;

    /// Texts that say what was measured, and how.
    private static final Set<String> TEXTS = Set.of(
            "model_id",
            "model",
            "models",
            "model_name",
            "model_names",
            "name",
            "backend",
            "request_rate",
            "version",
            "tool",
            "tool_version",
            "kind",
            "type",
            "type_",
            "role",
            "unit",
            "units",
            "gpu_name",
            "tp",
            "dp",
            "ep",
            "device",
            "schema_version",
            "aiperf_version",
            "label");

    /// What is written of each request, and what nobody looks at.
    private static final Set<String> LISTS_OF_REQUESTS = Set.of("successful", "errored", "incomplete", "pdf");
    private static final String PERCENTILES = "percentiles";

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /// Stands for a text that nobody looks at.
    private static final JsonNode TEXT = NODES.stringNode("a text");

    private static final ObjectMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(Bounds.NESTING)
                            .maxNumberLength(Bounds.DIGITS)
                            .maxNameLength(Bounds.NAME)
                            .maxStringLength(LONGEST_TEXT)
                            .build())
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    private int kept;

    private JsonDocuments() {}

    /// @throws InvalidRequestException if the stream is no JSON, or too much of it would have to be kept
    static List<ResultDocument> read(InputStream stream) throws IOException {
        JsonDocuments documents = new JsonDocuments();
        List<JsonNode> roots = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(stream)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                lines.add(parser.currentTokenLocation().getLineNr());
                if (token != JsonToken.START_OBJECT) {
                    throw refused(lines.getLast(), "has no JSON object where one should begin");
                }
                roots.add(documents.object(parser));
                if (roots.size() > ELEMENTS) {
                    throw refused(lines.getLast(), "begins document " + roots.size() + ": there are too many");
                }
            }
        } catch (StreamConstraintsException e) {
            throw refused(
                    line(e),
                    "nests deeper than " + Bounds.NESTING + " levels, or has a number of more than " + Bounds.DIGITS
                            + " digits, a name of more than " + Bounds.NAME + " characters or a text of more than "
                            + LONGEST_TEXT);
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw refused(line(e), "is no JSON that can be read");
        }
        List<ResultDocument> read = new ArrayList<>();
        for (int index = 0; index < roots.size(); index++) {
            read.add(new ResultDocument(roots.get(index), "", roots.size() == 1 ? "" : "line " + lines.get(index)));
        }
        return read;
    }

    private static int line(JacksonException failure) {
        return failure.getLocation() == null
                ? 1
                : Math.max(1, failure.getLocation().getLineNr());
    }

    private ObjectNode object(JsonParser parser) {
        ObjectNode object = NODES.objectNode();
        int names = 0;
        for (JsonToken token = parser.nextToken(); token == JsonToken.PROPERTY_NAME; token = parser.nextToken()) {
            String name = parser.currentName();
            names++;
            if (names > MOST_OF_OBJECT) {
                throw refused(line(parser), "has an object of more than " + MOST_OF_OBJECT + " names");
            }
            if (object.has(name)) {
                throw refused(line(parser), "has the member " + shown(name) + " twice");
            }
            JsonToken begin = parser.nextToken();
            if (name.equals(PERCENTILES) || (begin == JsonToken.START_ARRAY && LISTS_OF_REQUESTS.contains(name))) {
                parser.skipChildren();
                continue;
            }
            JsonNode value = value(parser, begin, TEXTS.contains(name));
            if (!value.isMissingNode()) {
                object.set(name, value);
            }
        }
        return object;
    }

    private ArrayNode array(JsonParser parser, boolean texts) {
        ArrayNode array = NODES.arrayNode();
        int elements = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements++;
            if (elements > ELEMENTS) {
                parser.skipChildren();
                continue;
            }
            JsonNode value = value(parser, token, texts);
            if (!value.isMissingNode()) {
                array.add(value);
            }
        }
        return array;
    }

    /// @param texts whether texts are kept here
    private JsonNode value(JsonParser parser, JsonToken token, boolean texts) {
        kept++;
        if (kept > MOST_KEPT) {
            throw refused(line(parser), "is where there are more than " + MOST_KEPT + " names and values to look at");
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser, texts);
            case VALUE_STRING -> texts ? NODES.stringNode(parser.getString()) : TEXT;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_TRUE, VALUE_FALSE -> NODES.booleanNode(token == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> NODES.nullNode();
            case PROPERTY_NAME, END_OBJECT, END_ARRAY, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE -> NODES.missingNode();
        };
    }

    private static int line(JsonParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    private static String shown(String name) {
        return name.length() > 40 ? name.substring(0, 40) + "..." : name;
    }

    private static InvalidRequestException refused(int line, String fault) {
        return new InvalidRequestException(List.of(new Violation("", "line " + line + " " + fault)));
    }
}
