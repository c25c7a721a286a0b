package io.throughputoptimizer.api;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.SerializableString;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.sym.PropertyNameMatcher;
import tools.jackson.core.util.JsonParserDelegate;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/// A parser of requests that checks every token and copies it as JSON, so that a request is parsed once. Fields with
/// an alias get their own name. It takes
/// one document of limited depth and size, with every value given once and in full.
final class RequestParser extends JsonParserDelegate {
    /// Infinities as Python writes them.
    private static final Set<String> INFINITIES = Set.of("Infinity", "-Infinity");

    /// Other names of fields, by the field that holds them.
    private static final Map<String, Map<String, String>> ALIASES = Map.of(
            "workload", Map.of("isl", "input_length", "osl", "output_length"),
            "slo", Map.of("ttft", "ttft_ms", "tpot", "tpot_ms"),
            "search", Map.of("tp", "tp_sizes"));

    /// Nesting of the fields that [#given()] lists.
    private static final int GIVEN_LEVELS = 2;

    private final WireFormat.Syntax syntax;
    private final String document;
    private final int mostValues;
    private final StringWriter json = new StringWriter();
    private final JsonGenerator generator;
    private final Set<String> given = new HashSet<>();
    private final Set<String> aliased = new HashSet<>();
    private int values;
    private int documents;
    private @Nullable InvalidRequestException failure;

    /// @param parser parser of the document
    /// @param mostValues maximum number of names and values
    /// @param writer format of the copy
    RequestParser(WireFormat.Syntax syntax, String document, JsonParser parser, int mostValues, ObjectMapper writer) {
        super(parser);
        this.syntax = syntax;
        this.document = document;
        this.mostValues = mostValues;
        this.generator = writer.createGenerator(json);
    }

    /// Decodes a document.
    ///
    /// @throws InvalidRequestException if the bytes are not UTF-8
    static String decode(byte[] document) {
        ByteBuffer bytes = ByteBuffer.wrap(document);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return TextLines.withoutMark(text);
        } catch (CharacterCodingException _) {
            // The decoder leaves the buffer where it found the first wrong byte.
            throw refused("", "is not UTF-8 text: byte " + (bytes.position() + 1) + " is wrong");
        }
    }

    /// Reads what is left of the document.
    ///
    /// @throws InvalidRequestException if any of the document is malformed or breaks a rule
    void finish() {
        if (failure != null) {
            throw failure;
        }
        while (nextToken() != null) {
            // Each token is checked.
        }
        generator.close();
    }

    /// Returns the document as JSON in one line.
    String json() {
        return json.toString();
    }

    /// Returns pointers of the fields, and of the fields in them, with values other than null and false.
    Set<String> given() {
        return given;
    }

    @Override
    public @Nullable JsonToken nextToken() {
        try {
            JsonToken token = delegate.nextToken();
            if (token != null) {
                check(token);
                note(token);
                copy(token);
            }
            return token;
        } catch (JacksonException e) {
            failure = ReadingFailure.of(syntax, document, e);
            throw failure;
        } catch (InvalidRequestException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public @Nullable JsonToken nextValue() {
        JsonToken token = nextToken();
        return token == JsonToken.PROPERTY_NAME ? nextToken() : token;
    }

    @Override
    public @Nullable String nextName() {
        return nextToken() == JsonToken.PROPERTY_NAME ? currentName() : null;
    }

    @Override
    public boolean nextName(SerializableString name) {
        return nextToken() == JsonToken.PROPERTY_NAME && currentName().equals(name.getValue());
    }

    @Override
    public int nextNameMatch(PropertyNameMatcher matcher) {
        return nextToken() == JsonToken.PROPERTY_NAME ? matcher.matchName(currentName()) : currentNameMatch(matcher);
    }

    @Override
    public String currentName() {
        String name = delegate.currentName();
        TokenStreamContext context = streamReadContext();
        return context.inObject() && context.hasCurrentName() ? aliases(context).getOrDefault(name, name) : name;
    }

    /// Returns the path of the field for which a name is an alias elsewhere, such as `workload.input_length` for
    /// `isl`.
    static Optional<String> pathOf(String alias) {
        return ALIASES.entrySet().stream()
                .filter(part -> part.getValue().containsKey(alias))
                .map(part -> part.getKey() + "." + part.getValue().get(alias))
                .findFirst();
    }

    private static Map<String, String> aliases(TokenStreamContext object) {
        TokenStreamContext holder = object.getParent();
        String name = holder == null ? null : holder.currentName();
        return name == null ? Map.of() : ALIASES.getOrDefault(name, Map.of());
    }

    @Override
    public JsonParser skipChildren() {
        if (currentToken() == JsonToken.START_OBJECT || currentToken() == JsonToken.START_ARRAY) {
            int depth = streamReadContext().getNestingDepth();
            while (nextToken() != null && streamReadContext().getNestingDepth() >= depth) {
                // Each token is checked.
            }
        }
        return this;
    }

    private void check(JsonToken token) {
        documents += startsDocument(delegate, token) ? 1 : 0;
        values += token.isStructEnd() ? 0 : 1;
        String broken = brokenBy(delegate, token);
        if (documents > 1) {
            throw refused("", "must be one document; remove the text after its end");
        } else if (values > mostValues) {
            throw refused("", "is too large: at most " + mostValues + " names and values are allowed");
        } else if (!broken.isEmpty()) {
            throw refused(streamReadContext().pathAsPointer().toString(), broken);
        }
    }

    private void note(JsonToken token) {
        boolean isGiven = token.isStructStart()
                || (token.isScalarValue() && token != JsonToken.VALUE_NULL && token != JsonToken.VALUE_FALSE);
        TokenStreamContext context = token.isStructStart() ? streamReadContext().getParent() : streamReadContext();
        if (isGiven && context.inObject() && context.getNestingDepth() <= GIVEN_LEVELS) {
            given.add(pointer(context));
        }
    }

    private String pointer(TokenStreamContext context) {
        String pointer = context.pathAsPointer().toString();
        String name = context.currentName();
        String known = aliases(context).getOrDefault(name, name);
        return known.equals(name) ? pointer : pointer.substring(0, pointer.length() - name.length()) + known;
    }

    /// Rejects a field that is given twice, by its name and by an alias.
    private void checkAlias() {
        if (!aliases(streamReadContext()).isEmpty()) {
            String pointer = pointer(streamReadContext());
            if (!aliased.add(pointer)) {
                throw refused(pointer, "must not be given twice, by its name and by an alias. Remove one.");
            }
        }
    }

    private void copy(JsonToken token) {
        if (token == JsonToken.PROPERTY_NAME) {
            checkAlias();
            generator.writeName(currentName());
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
            generator.writeNumber(getBigIntegerValue());
        } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
            copyFraction(getString());
        } else {
            generator.copyCurrentEvent(delegate);
        }
    }

    /// Copies infinities as text, since JSON has none.
    private void copyFraction(String text) {
        if (hasDigits(text)) {
            generator.writeNumber(getDoubleValue());
        } else {
            generator.writeString(text.equals(WireFormat.YAML_INFINITY) ? WireFormat.INFINITE : text);
        }
    }

    private static boolean hasDigits(String number) {
        return number.chars().anyMatch(Character::isDigit);
    }

    private static boolean startsDocument(JsonParser parser, JsonToken token) {
        int depth = parser.streamReadContext().getNestingDepth();
        return token.isStructStart() ? depth == 1 : depth == 0 && !token.isStructEnd();
    }

    /// The rule that the current token breaks; empty for none.
    private static String brokenBy(JsonParser parser, JsonToken token) {
        if (parser.streamReadContext().getNestingDepth() > Bounds.NESTING) {
            return "is nested too deeply: at most " + Bounds.NESTING + " levels are allowed";
        }
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            return "is an alias: each value must be written out";
        }
        return switch (token) {
            case PROPERTY_NAME -> brokenByText("name", parser.currentName());
            case VALUE_STRING -> brokenByText("text", parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> brokenByNumber(parser);
            case START_OBJECT,
                    END_OBJECT,
                    START_ARRAY,
                    END_ARRAY,
                    VALUE_TRUE,
                    VALUE_FALSE,
                    VALUE_NULL,
                    VALUE_EMBEDDED_OBJECT,
                    NOT_AVAILABLE -> "";
        };
    }

    private static String brokenByText(String kind, String text) {
        if (kind.equals("name") && text.length() > Bounds.NAME) {
            return "has a name of " + text.length() + " characters: at most " + Bounds.NAME + " are allowed";
        }
        boolean broken = text.codePoints().anyMatch(RequestParser::isHalfOfPair);
        return broken ? "has a " + kind + " with half of a surrogate pair: whole characters are needed" : "";
    }

    private static boolean isHalfOfPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /// Numbers that only YAML can spell have no digits, and who reads the member judges them; so have those of Python.
    private static String brokenByNumber(JsonParser parser) {
        String digits = parser.getString();
        boolean hasDigits = hasDigits(digits);
        if (!hasDigits && !(parser instanceof YAMLParser)) {
            boolean ofModel = parser.streamReadContext()
                    .pathAsPointer()
                    .toString()
                    .startsWith("/" + WireFormat.MODEL_CONFIG + "/");
            return ofModel && INFINITIES.contains(digits)
                    ? ""
                    : "is " + digits
                            + ", which is no number in JSON; infinity is one in a configuration of a model only";
        }
        return hasDigits && Double.isInfinite(parser.getDoubleValue()) ? "must be at most 1.7e308" : "";
    }

    private static InvalidRequestException refused(String pointer, String message) {
        return new InvalidRequestException(pointer, message);
    }
}
