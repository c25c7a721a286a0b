package io.throughputoptimizer.api.benchmark;

import static java.util.Objects.requireNonNull;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.benchmark.ResultFormat.Table;
import io.throughputoptimizer.api.benchmark.ResultPath.Names;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
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

/// A reader of JSON and CSV that keeps values at known names. All other values pass by, in files of any length.
final class ResultReader {
    /// Elements kept of a list: more than a set of measurements has rows, so that a longer list is rejected.
    private static final int MOST_ELEMENTS = 64;

    private static final int MOST_KEPT = 100_000;
    private static final int LONGEST_TEXT = 100_000;
    private static final int LONGEST_LINE = 1 << 20;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

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

    private ResultReader() {}

    /// A document of a file.
    ///
    /// @param place place of the document among others, for people; empty if it is alone
    record Document(JsonNode root, String place) {}

    /// Returns the JSON documents of a stream, which follow one another.
    ///
    /// @throws InvalidRequestException if the stream is not JSON, or has too many values at known names
    static List<Document> json(InputStream stream, Names names) throws IOException {
        ResultReader reader = new ResultReader();
        List<Document> documents = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(stream)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                String place = place(parser);
                if (token != JsonToken.START_OBJECT) {
                    throw refused(place + " must begin a JSON object");
                }
                if (documents.size() == MOST_ELEMENTS) {
                    throw refused(
                            place + " must not begin another document: at most " + MOST_ELEMENTS + " are allowed");
                }
                documents.add(new Document(reader.value(parser, names), place));
            }
        } catch (StreamConstraintsException e) {
            throw refused(place(e) + " must not exceed " + Bounds.NESTING + " levels, " + Bounds.DIGITS
                    + " digits of a number, " + Bounds.NAME + " characters of a name or " + LONGEST_TEXT
                    + " of a string");
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw refused(place(e) + " must be valid JSON");
        }
        return documents.size() == 1 ? List.of(new Document(documents.getFirst().root, "")) : List.copyOf(documents);
    }

    private static String place(JsonParser parser) {
        return "line " + parser.currentTokenLocation().getLineNr();
    }

    private static String place(JacksonException failure) {
        TokenStreamLocation location = failure.getLocation();
        return "line " + (location == null ? 1 : Math.max(1, location.getLineNr()));
    }

    private JsonNode value(JsonParser parser, Names names) {
        kept++;
        if (kept > MOST_KEPT) {
            throw refused(place(parser) + " must not exceed " + MOST_KEPT + " relevant names and values");
        }
        if (parser.hasToken(JsonToken.START_OBJECT)) {
            ObjectNode object = NODES.objectNode();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                Names below = names.below(name);
                if (below == null) {
                    parser.skipChildren();
                } else if (object.has(name)) {
                    throw refused(place(parser) + " must not have the field " + name + " twice");
                } else {
                    object.set(name, value(parser, below));
                }
            }
            return object;
        }
        if (parser.hasToken(JsonToken.START_ARRAY)) {
            ArrayNode list = NODES.arrayNode();
            Names below = names.get(ResultPath.EACH);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (below == null || list.size() == MOST_ELEMENTS) {
                    parser.skipChildren();
                } else {
                    list.add(value(parser, below));
                }
            }
            return list;
        }
        return switch (parser.currentToken()) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
            case VALUE_NULL -> NODES.nullNode();
            default -> NODES.stringNode(parser.getString());
        };
    }

    /// Returns a document for each run of a CSV file.
    ///
    /// @param choice mapping for the first line
    /// @throws InvalidRequestException if a line is too long
    static List<Document> csv(InputStream stream, Function<List<String>, ResultFormat> choice) throws IOException {
        List<Document> documents = new ArrayList<>();
        List<List<String>> headers = new ArrayList<>();
        Names names = new Names();
        Table table = null;
        long number = 0;
        try (CsvReader<CsvRecord> lines = CsvReader.builder()
                .skipEmptyLines(false)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .maxBufferSize(LONGEST_LINE)
                .detectBomHeader(true)
                .ofCsvRecord(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (CsvRecord line : lines) {
                number = line.getStartingLineNumber();
                List<String> cells =
                        line.getFields().stream().map(String::strip).toList();
                if (table == null) {
                    ResultFormat format = choice.apply(cells);
                    format.addTo(names);
                    table = requireNonNull(format.table());
                }
                String first = cells.getFirst();
                if (first.equals(table.end()) || documents.size() == MOST_ELEMENTS) {
                    break;
                }
                if (headers.size() < table.headers()) {
                    headers.add(cells);
                } else if (table.headers() > 0) {
                    if (!String.join("", cells).isEmpty()) {
                        documents.add(new Document(run(headers, cells, names), "line " + number));
                    }
                } else if (first.equals(table.marker())) {
                    headers = List.of(cells);
                } else {
                    if (documents.isEmpty()) {
                        documents.add(new Document(NODES.objectNode(), ""));
                    }
                    addMetric((ObjectNode) documents.getFirst().root, headers.getFirst(), cells, names);
                }
            }
        } catch (CsvParseException e) {
            throw refused("line " + (number + 1) + " must be valid CSV of at most " + LONGEST_LINE + " characters");
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (documents.isEmpty()) {
            throw refused(
                    number == 0
                            ? "must not be empty"
                            : "line " + number + " must not be the last: no benchmark follows the headers");
        }
        return documents;
    }

    /// Returns the cells of a line, each below its headers.
    private static ObjectNode run(List<List<String>> headers, List<String> cells, Names names) {
        ObjectNode root = NODES.objectNode();
        for (int column = 0; column < cells.size(); column++) {
            int at = column;
            put(
                    root,
                    names,
                    headers.stream()
                            .map(line -> at < line.size() ? line.get(at) : "")
                            .filter(name -> !name.isEmpty())
                            .toList(),
                    cells.get(column));
        }
        return root;
    }

    /// Adds a metric by its name in lower case and without the unit: `Request Latency (ms)` becomes `request_latency`,
    /// with a member for each column and `unit`.
    private static void addMetric(ObjectNode root, List<String> columns, List<String> cells, Names names) {
        String name = cells.getFirst();
        for (int column = 1; column < Math.min(columns.size(), cells.size()); column++) {
            put(root, names, List.of(key(name), key(columns.get(column))), cells.get(column));
        }
        put(
                root,
                names,
                List.of(key(name), "unit"),
                name.replaceFirst("[^(]*\\(?", "").replace(")", ""));
    }

    private static String key(String name) {
        return name.replaceFirst("\\(.*", "").strip().toLowerCase(Locale.ROOT).replace(' ', '_');
    }

    /// Adds a cell unless it is empty, its path is unknown, or the path has a value.
    private static void put(ObjectNode root, Names names, List<String> path, String cell) {
        ObjectNode at = root;
        Names below = names;
        for (int index = 0; index < path.size() && below != null && !cell.isEmpty(); index++) {
            String name = path.get(index);
            below = below.below(name);
            if (below != null && index == path.size() - 1) {
                at.putIfAbsent(name, NODES.stringNode(cell));
            } else if (below != null) {
                at = at.get(name) instanceof ObjectNode inner ? inner : at.putObject(name);
            }
        }
    }

    static InvalidRequestException refused(String fault) {
        return new InvalidRequestException("", fault);
    }
}
