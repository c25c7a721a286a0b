package io.throughputoptimizer.core.model.config;

import io.throughputoptimizer.core.model.ModelDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A Hugging Face `config.json`, or one of its sections, read by key.
///
/// A null value counts as missing, as in Hugging Face. Any other unexpected value fails with the key, the value
/// and the rule. Unread keys are ignored.
public final class HuggingFaceConfig {
    /// Section of the decoder in multimodal configurations.
    public static final String TEXT = "text_config";

    /// Numbers with an exponent but no decimal point, which YAML parsers commonly return as text.
    private static final Pattern EXPONENT_NUMBER = Pattern.compile("[-+]?\\d+[eE][-+]?\\d{1,3}");

    private static final int SHOWN_LENGTH = 80;

    private final String pointer;
    private final Map<String, @Nullable Object> entries;

    /// @param entries the JSON object: strings, numbers, booleans, lists, maps and nulls
    public HuggingFaceConfig(Map<String, ? extends @Nullable Object> entries) {
        this("", entries);
    }

    private HuggingFaceConfig(String pointer, Map<String, ? extends @Nullable Object> entries) {
        this.pointer = pointer;
        this.entries = new LinkedHashMap<>(entries);
    }

    /// Returns the whole object for other readers.
    public ModelDocument document() {
        return new ModelDocument(entries);
    }

    /// Returns every key, with or without a value.
    public Set<String> keys() {
        return Set.copyOf(entries.keySet());
    }

    /// Returns whether a key has a value.
    public boolean has(String key) {
        return entries.get(key) != null;
    }

    /// Returns whether a value is on: neither null nor false nor zero.
    public boolean isOn(String key) {
        Object value = entries.get(key);
        return !(value == null || value.equals(false) || (value instanceof Number number && number.doubleValue() == 0));
    }

    /// Returns a required string.
    public String text(String key) {
        if (entries.get(key) instanceof String text) {
            return text;
        }
        throw invalid(key, "a string");
    }

    /// Returns a required string.
    ///
    /// @param rule allowed values, for the message
    public String text(String key, String rule) {
        if (required(key, rule) instanceof String text) {
            return text;
        }
        throw refused(key, rule);
    }

    /// Returns a required integer from 1 to `max`.
    public int count(String key, int max) {
        if (entries.get(key) instanceof Number number) {
            double value = number.doubleValue();
            if (value >= 1 && value <= max && value == Math.rint(value)) {
                return (int) value;
            }
        }
        throw invalid(key, "a whole number from 1 to " + max);
    }

    /// Returns a required number above 0 and below 1.
    public double fraction(String key) {
        return numberAt(key)
                .filter(number -> number > 0 && number < 1)
                .orElseThrow(() -> invalid(key, "a number above 0 and below 1"));
    }

    /// Returns a required number of at least 1.
    public double factor(String key) {
        return numberAt(key).filter(number -> number >= 1).orElseThrow(() -> invalid(key, "a number of at least 1"));
    }

    /// Returns whether a value equals a number.
    public boolean isNumber(String key, double expected) {
        Object value = entries.get(key);
        return value != null && number(value).equals(Optional.of(expected));
    }

    /// Returns whether a value is a string.
    public boolean isText(String key) {
        return entries.get(key) instanceof String;
    }

    /// Returns the number of a key, or empty.
    public Optional<Double> numberAt(String key) {
        Object value = entries.get(key);
        return value == null ? Optional.empty() : number(value);
    }

    /// Returns a copy with defaults for keys without a value.
    public HuggingFaceConfig orElse(Map<String, ?> defaults) {
        Map<String, @Nullable Object> filled = new LinkedHashMap<>(defaults);
        entries.forEach((key, value) -> {
            if (value != null) {
                filled.put(key, value);
            }
        });
        return new HuggingFaceConfig(pointer, filled);
    }

    /// Returns a copy with renamed keys.
    ///
    /// @param others actual keys by requested key
    public HuggingFaceConfig renamed(Map<String, String> others) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>(entries);
        others.forEach((asked, read) -> changed.put(asked, entries.get(read)));
        return new HuggingFaceConfig(pointer, changed);
    }

    /// Rejects any value except a number equal to `expected`; the key is optional.
    public void requireNumberIfGiven(String key, double expected, String rule) {
        Object value = entries.get(key);
        if (value != null && !number(value).equals(Optional.of(expected))) {
            throw refused(key, rule);
        }
    }

    /// Rejects any value except `expected`; the key is required.
    public void require(String key, Object expected, String rule) {
        if (!expected.equals(required(key, rule))) {
            throw refused(key, rule);
        }
    }

    /// Returns a boolean; false by default.
    public boolean flag(String key) {
        return switch (entries.get(key)) {
            case null -> false;
            case Boolean flag -> flag;
            default -> throw invalid(key, "true or false");
        };
    }

    /// Returns a list; empty by default.
    public List<?> list(String key) {
        return switch (entries.get(key)) {
            case null -> List.of();
            case List<?> list -> list;
            default -> throw invalid(key, "a list");
        };
    }

    /// Returns a nested object; empty by default.
    public HuggingFaceConfig section(String key) {
        return switch (entries.get(key)) {
            case null -> new HuggingFaceConfig(pointer(key), Map.of());
            case Map<?, ?> map -> new HuggingFaceConfig(pointer(key), withTextKeys(map));
            default -> throw invalid(key, "an object");
        };
    }

    /// Returns a list of objects; empty by default.
    public List<HuggingFaceConfig> sections(String key) {
        List<HuggingFaceConfig> sections = new ArrayList<>();
        for (Object entry : list(key)) {
            if (!(entry instanceof Map<?, ?> map)) {
                throw invalid(key, "a list of objects");
            }
            sections.add(new HuggingFaceConfig(pointer(key) + "/" + sections.size(), withTextKeys(map)));
        }
        return sections;
    }

    /// Creates the exception for a missing or invalid value.
    ///
    /// @param rule noun phrase for the allowed values, such as `a string`
    public ModelConfigException invalid(String key, String rule) {
        Object value = entries.get(key);
        return new ModelConfigException(
                pointer(key),
                key
                        + (value == null
                                ? " is required and must be " + rule
                                : " must be " + rule + ", got " + shown(value)));
    }

    /// Creates the exception for a value that the service does not support.
    ///
    /// @param rule reason
    public ModelConfigException refused(String key, String rule) {
        Object value = entries.get(key);
        String found = value == null ? " is missing" : " is " + shown(value);
        return new ModelConfigException(pointer(key), key + found + ": " + rule);
    }

    private Object required(String key, String rule) {
        Object value = entries.get(key);
        if (value == null) {
            throw refused(key, rule);
        }
        return value;
    }

    /// Returns the JSON pointer (RFC 6901) of a key in the whole document.
    public String pointer(String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    private static Optional<Double> number(Object value) {
        if (value instanceof Number number) {
            return Optional.of(number.doubleValue());
        }
        return value instanceof String text && EXPONENT_NUMBER.matcher(text).matches()
                ? Optional.of(Double.valueOf(text))
                : Optional.empty();
    }

    private static Map<String, @Nullable Object> withTextKeys(Map<?, ?> map) {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put(Objects.toString(key), value));
        return result;
    }

    private static String shown(Object value) {
        String text = value instanceof String ? "\"" + value + "\"" : value.toString();
        return text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH) + "...";
    }
}
