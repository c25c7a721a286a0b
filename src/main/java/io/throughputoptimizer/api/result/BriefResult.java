package io.throughputoptimizer.api.result;

import java.io.StringWriter;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/// The JSON of a result as most callers want it: without what only pictures are made of, and with the best rows
/// only. All else is as it was, to the byte.
public final class BriefResult {
    /// Rows of a table that are kept.
    public static final int ROWS = 100;

    private static final String OMITTED_ROWS = "omitted_rows";
    private static final Set<String> TABLES =
            Set.of("/devices/phases/rows", "/devices/pd_ratio/rows", "/capacity/rows");
    private static final Map<String, ResultPart> PARTS = Map.of(
            "/devices/phases/points",
            ResultPart.PROBES,
            "/devices/phases/omitted_points",
            ResultPart.PROBES,
            "/explanation/answers/pareto_frontier/points",
            ResultPart.FRONTIER,
            "/capacity/rows/instances/load/composition",
            ResultPart.COMPOSITIONS,
            "/capacity/rows/instances/peak/composition",
            ResultPart.COMPOSITIONS);

    private final JsonParser parser;
    private final JsonGenerator generator;
    private final Set<ResultPart> included;
    private final int rows;

    private BriefResult(JsonParser parser, JsonGenerator generator, Set<ResultPart> included) {
        this.parser = parser;
        this.generator = generator;
        this.included = included;
        this.rows = included.contains(ResultPart.ALL_ROWS) ? Integer.MAX_VALUE : ROWS;
    }

    /// @param json of a [ResultResponse]
    /// @param included parts that are kept
    public static String of(String json, Set<ResultPart> included) {
        StringWriter brief = new StringWriter();
        try (JsonParser parser = JsonMapper.shared().createParser(json);
                JsonGenerator generator = JsonMapper.shared().createGenerator(brief)) {
            parser.nextToken();
            new BriefResult(parser, generator, included).copy("");
        }
        return brief.toString();
    }

    /// @param path names of the members that lead here, whether lists lie between or not
    private void copy(String path) {
        if (parser.hasToken(JsonToken.START_OBJECT)) {
            copyObject(path);
        } else if (parser.hasToken(JsonToken.START_ARRAY)) {
            long _ = copyList(path, Integer.MAX_VALUE);
        } else if (parser.currentToken().isNumeric()) {
            generator.writeNumber(parser.getString());
        } else {
            generator.copyCurrentEvent(parser);
        }
    }

    private void copyObject(String path) {
        generator.writeStartObject();
        long leftOut = 0;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            String member = path + "/" + name;
            parser.nextToken();
            ResultPart part = PARTS.get(member);
            if (part != null && !included.contains(part)) {
                parser.skipChildren();
            } else if (name.equals(OMITTED_ROWS)) {
                leftOut += parser.getLongValue();
            } else {
                generator.writeName(name);
                if (TABLES.contains(member)) {
                    leftOut += copyList(member, rows);
                } else {
                    copy(member);
                }
            }
        }
        if (leftOut > 0) {
            generator.writeNumberProperty(OMITTED_ROWS, leftOut);
        }
        generator.writeEndObject();
    }

    /// The first elements of a list; returns how many it leaves out.
    private long copyList(String path, int most) {
        generator.writeStartArray();
        long elements = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (elements < most) {
                copy(path);
            } else {
                parser.skipChildren();
            }
            elements++;
        }
        generator.writeEndArray();
        return Math.max(elements - most, 0);
    }
}
