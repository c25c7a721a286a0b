package io.throughputoptimizer.api;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.hardware.Interconnect.Topology;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.model.stored.FoldedNames;
import io.throughputoptimizer.core.serving.Accounting;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// Reading and writing of the API's records: fields in snake_case, null fields left out.
///
/// Reading is strict, since a misread request gives a wrong figure: unknown and duplicate members, text for
/// numbers and numbers for text, fractions for whole numbers and trailing content are refused.
public final class WireFormat {

    private static final WireNames NAMES = new WireNames();

    private static final class WireNames extends PropertyNamingStrategies.SnakeCaseStrategy {
        /// Words of one letter would be taken for the beginning of the next.
        @Override
        protected String translate(String component) {
            return super.translate(component.replaceAll("PerS(?=[A-Z])", "PerS_"));
        }
    }

    /// Enums that keep the case of their constants on the wire.
    private static final Set<Class<?>> IN_UPPER_CASE =
            Set.of(Scheme.class, Topology.class, LinearQuantization.class, AttentionQuantization.class);

    /// The syntax of a document.
    public enum Syntax {
        JSON,
        YAML
    }

    /// Much longer than the YAML parser's own choice: with each buffer it copies all of the value that it is reading.
    private static final int YAML_BUFFER = 64 * 1024;

    private static final ObjectMapper JSON = build(JsonMapper.builder());
    private static final ObjectReader STORED = JSON.reader()
            .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withHandler(new Earlier());

    /// Parser limits of requests, which [RequestParser] checks too.
    private static final StreamReadConstraints OF_REQUESTS =
            StreamReadConstraints.builder().maxNumberLength(Bounds.DIGITS).build();

    private static final ObjectMapper JSON_REQUESTS = build(JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(OF_REQUESTS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build()));
    private static final ObjectMapper YAML_REQUESTS = build(YAMLMapper.builder(YAMLFactory.builder()
            .streamReadConstraints(OF_REQUESTS)
            .loadSettings(LoadSettings.builder().setBufferSize(YAML_BUFFER).build())
            .build()));

    private static final ObjectMapper YAML_DOCUMENTS = build(YAMLMapper.builder()
            .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
            .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
            .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS));

    /// The member that brings a configuration of a model along.
    static final String MODEL_CONFIG = "model_config";

    /// A latency limit that limits nothing, where JSON has no number.
    public static final String INFINITE = "inf";

    /// [#INFINITE] in YAML, which defines it as a number; the parser reads it as text.
    public static final String YAML_INFINITY = ".inf";

    /// Accounting that requests of earlier versions may name.
    static final String REMOVED_ACCOUNTING = "corrected";

    /// Values of earlier versions, read as those that took their place.
    private static final class Earlier extends DeserializationProblemHandler {
        @Override
        public Object handleWeirdStringValue(
                DeserializationContext context, Class<?> type, String value, String failure) {
            return type == Accounting.class && value.equals(REMOVED_ACCOUNTING) ? Accounting.STEADY : NOT_HANDLED;
        }
    }

    private static final Map<Object, String> CONSTANTS = new ConcurrentHashMap<>();

    private WireFormat() {}

    /// A request with the document that it was read from.
    ///
    /// @param json the document as JSON in one line
    /// @param given pointers of fields, and of the fields in them, with values other than null and false
    public record Parsed<T>(T value, String json, Set<String> given) {}

    /// Returns a file of the service itself.
    public static byte[] bundled(String path) {
        try (InputStream file = requireNonNull(WireFormat.class.getResourceAsStream(path), path)) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Reads a YAML file of the service itself.
    public static <T> T bundled(String path, Class<T> type) {
        return read(Syntax.YAML, bundled(path), type);
    }

    /// Reads a request.
    ///
    /// @throws InvalidRequestException if the document is malformed or does not have the type's members
    public static <T> T read(Syntax syntax, byte[] document, Class<T> type) {
        return parse(syntax, document, type).value();
    }

    /// Reads a request and its document, as [#read(Syntax, byte\[\], Class)].
    public static <T> Parsed<T> parse(Syntax syntax, byte[] document, Class<T> type) {
        String text = RequestParser.decode(document);
        try (RequestParser parser = parser(syntax, text, Bounds.VALUES)) {
            T value = text.isBlank() ? null : value(parser, syntax, text, type);
            parser.finish();
            if (value == null) {
                throw ReadingFailure.empty();
            }
            return new Parsed<>(value, parser.json(), parser.given());
        }
    }

    /// Reads the value of a document. Whatever is wrong with the document itself comes before what the type needs.
    private static <T> T value(RequestParser parser, Syntax syntax, String text, Class<T> type) {
        try {
            return mapper(syntax).readValue(parser, type);
        } catch (JacksonException e) {
            parser.finish();
            throw ReadingFailure.of(syntax, text, e);
        }
    }

    private static RequestParser parser(Syntax syntax, String text, int mostValues) {
        return new RequestParser(syntax, text, mapper(syntax).createParser(reader(text)), mostValues, JSON);
    }

    /// Returns pointers of the fields that a stored request sets, as [Parsed#given()].
    public static Set<String> given(String json) {
        try (RequestParser parser = parser(Syntax.JSON, json, Integer.MAX_VALUE)) {
            parser.finish();
            return parser.given();
        }
    }

    /// Returns a request as JSON with the module names of its model configuration folded ([FoldedNames]); a request
    /// without a configuration stays as it is.
    ///
    /// @throws InvalidRequestException if the document is malformed
    public static byte[] withFoldedConfig(byte[] document) {
        String text = RequestParser.decode(document);
        if (!text.contains('"' + MODEL_CONFIG + '"')) {
            return document;
        }
        try (RequestParser parser = parser(Syntax.JSON, text, Bounds.VALUES_OF_LONG_CONFIG)) {
            Map<?, ?> request = value(parser, Syntax.JSON, text, Map.class);
            parser.finish();
            if (request == null) {
                throw ReadingFailure.empty();
            }
            Map<String, @Nullable Object> folded = members(request);
            folded.computeIfPresent(
                    MODEL_CONFIG,
                    (_, config) -> config instanceof Map<?, ?> map ? FoldedNames.of(members(map)) : config);
            return JSON.writeValueAsBytes(folded);
        }
    }

    private static Map<String, @Nullable Object> members(Map<?, ?> object) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        object.forEach((name, value) -> members.put(String.valueOf(name), value));
        return members;
    }

    /// The YAML parser breaks down where the end of a full buffer parts a surrogate pair, so it never gets a full one.
    private static Reader reader(String text) {
        return new StringReader(text) {
            @Override
            public int read(char[] buffer, int offset, int length) throws IOException {
                return super.read(buffer, offset, Math.min(length, YAML_BUFFER / 2));
            }
        };
    }

    /// Reads what [#write(Object)] has written.
    public static <T> T read(String json, Class<T> type) {
        return JSON.readValue(json, type);
    }

    /// Reads what [#write(Object)] of this, a later or an earlier version has written. Members without a place in the
    /// type are left out.
    public static <T> T readStored(String json, Class<T> type) {
        return STORED.forType(type).readValue(json);
    }

    /// The value as JSON. Equal values give equal text.
    public static String write(Object value) {
        return JSON.writeValueAsString(value);
    }

    /// Writes a value that can be very long.
    ///
    /// @param checkpoint callback between pieces of output; can end the writing by an exception
    public static String write(Object value, Runnable checkpoint) {
        StringWriter text = new StringWriter() {
            @Override
            public void write(char[] piece, int offset, int length) {
                checkpoint.run();
                super.write(piece, offset, length);
            }
        };
        try {
            JSON.writeValue(text, value);
        } catch (JacksonException e) {
            // What ends the writing comes out of it as its failure.
            checkpoint.run();
            throw e;
        }
        return text.toString();
    }

    /// Writes the value as JSON in UTF-8, and leaves the stream open.
    public static void write(Object value, OutputStream stream) {
        JSON.writeValue(stream, value);
    }

    /// The value as a document for people: members in lines of their own.
    public static String document(Syntax syntax, Object value) {
        return switch (syntax) {
            case JSON -> JSON.writerWithDefaultPrettyPrinter().writeValueAsString(value) + "\n";
            case YAML -> YAML_DOCUMENTS.writeValueAsString(value);
        };
    }

    /// Returns the name of a constant in the API.
    public static String name(Object constant) {
        return CONSTANTS.computeIfAbsent(constant, known -> {
            String json = write(known);
            return json.substring(1, json.length() - 1);
        });
    }

    /// Returns the name of a record component in the API.
    public static String memberName(String component) {
        return NAMES.translate(component);
    }

    private static ObjectMapper mapper(Syntax syntax) {
        return switch (syntax) {
            case JSON -> JSON_REQUESTS;
            case YAML -> YAML_REQUESTS;
        };
    }

    private static <M extends ObjectMapper, B extends MapperBuilder<M, B>> M build(B builder) {
        return builder.propertyNamingStrategy(NAMES)
                .enumNamingStrategy((_, type, name) ->
                        IN_UPPER_CASE.contains(type.getRawType()) ? name : name.toLowerCase(Locale.ROOT))
                .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY, MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(MapperFeature.INFER_RECORD_GETTERS_FROM_COMPONENTS_ONLY)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .withCoercionConfigDefaults(
                        coercion -> coercion.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
                .withCoercionConfig(
                        LogicalType.Textual,
                        coercion -> coercion.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
                .build();
    }
}
