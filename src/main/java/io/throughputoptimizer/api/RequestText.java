package io.throughputoptimizer.api;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.yaml.YAMLParser;

/// Checks of any request: UTF-8 text of limited depth and size, with every value given once and in full.
final class RequestText {
    /// Infinities as Python writes them.
    private static final Set<String> INFINITIES = Set.of("Infinity", "-Infinity");

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private RequestText() {}

    /// @throws InvalidRequestException if the bytes are not UTF-8
    static String decode(byte[] document) {
        ByteBuffer bytes = ByteBuffer.wrap(document);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (CharacterCodingException _) {
            // The decoder leaves the buffer where it found the first wrong byte.
            throw refused("", "is not UTF-8 text: byte " + (bytes.position() + 1) + " is wrong");
        }
    }

    /// Reads through the document without keeping anything.
    ///
    /// @throws InvalidRequestException naming the member at fault
    static void check(JsonParser parser) {
        check(parser, Bounds.VALUES);
    }

    /// @param most names and values
    /// @throws InvalidRequestException naming the member at fault
    static void check(JsonParser parser, int most) {
        int values = 0;
        int documents = 0;
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            documents += startsDocument(parser, token) ? 1 : 0;
            values += token.isStructEnd() ? 0 : 1;
            String broken = brokenBy(parser, token);
            if (documents > 1) {
                throw refused("", "has something after its end: one document is needed");
            } else if (values > most) {
                throw refused("", "is too large: at most " + most + " names and values are allowed");
            } else if (!broken.isEmpty()) {
                throw refused(parser.streamReadContext().pathAsPointer().toString(), broken);
            }
        }
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
        boolean broken = text.codePoints().anyMatch(RequestText::isHalfOfPair);
        return broken ? "has a " + kind + " with half of a surrogate pair: whole characters are needed" : "";
    }

    private static boolean isHalfOfPair(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    /// Numbers that only YAML can spell have no digits, and who reads the member judges them; so have those of Python.
    private static String brokenByNumber(JsonParser parser) {
        String digits = parser.getString();
        boolean hasDigits = digits.chars().anyMatch(Character::isDigit);
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
        return hasDigits && Double.isInfinite(parser.getDoubleValue())
                ? "is out of range: a number up to 1.7e308 is needed"
                : "";
    }

    private static InvalidRequestException refused(String pointer, String message) {
        return new InvalidRequestException(List.of(new Violation(pointer, message)));
    }
}
