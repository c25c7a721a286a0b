package io.throughputoptimizer.api.request;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/// The JSON of a request as lists show it: whole where it is short, else without its long members. What is kept
/// is as it was, to the character.
///
/// @param json at most [#LONGEST] characters
/// @param abridged names of the request's members that are left out or lack something
public record BriefRequest(String json, List<String> abridged) {
    /// Characters of a request that is shown whole.
    public static final int LONGEST = 16_384;

    private static final int LONGEST_MEMBER = 4_096;

    public BriefRequest {
        abridged = List.copyOf(abridged);
    }

    /// @param json of an [OptimizationRequest]
    public static BriefRequest of(String json) {
        return json.length() <= LONGEST ? new BriefRequest(json, List.of()) : new Cut(json).request();
    }

    /// The model that a request names; absent where it names none.
    ///
    /// @param json of an [OptimizationRequest]
    public static @Nullable String modelOf(String json) {
        try (JsonParser parser = JsonMapper.shared().createParser(json)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("model_id")) {
                    return parser.getValueAsString();
                }
                parser.skipChildren();
            }
        }
        return null;
    }

    /// One request that is cut.
    private static final class Cut {
        private final String json;
        private final JsonParser parser;
        private final Set<String> abridged = new LinkedHashSet<>();

        Cut(String json) {
            this.json = json;
            this.parser = JsonMapper.shared().createParser(json);
        }

        BriefRequest request() {
            StringBuilder kept = new StringBuilder("{");
            try (parser) {
                parser.nextToken();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    boolean section = parser.nextToken() == JsonToken.START_OBJECT;
                    String value = section ? section(name) : value();
                    if (value == null || kept.length() + name.length() + value.length() + 5 > LONGEST) {
                        abridged.add(name);
                    } else {
                        append(kept, name, value);
                    }
                }
            }
            return new BriefRequest(kept.append('}').toString(), List.copyOf(abridged));
        }

        /// @return an object without its long members; null if what is left is long too
        private @Nullable String section(String name) {
            StringBuilder kept = new StringBuilder("{");
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String member = parser.currentName();
                parser.nextToken();
                String value = value();
                if (value == null) {
                    abridged.add(name);
                } else if (kept.length() <= LONGEST_MEMBER) {
                    append(kept, member, value);
                }
            }
            return kept.length() > LONGEST_MEMBER ? null : kept.append('}').toString();
        }

        /// @return null if it is long
        private @Nullable String value() {
            long begin = parser.currentTokenLocation().getCharOffset();
            parser.skipChildren();
            parser.finishToken();
            long end = parser.currentLocation().getCharOffset();
            return end - begin > LONGEST_MEMBER ? null : json.substring((int) begin, (int) end);
        }

        private static void append(StringBuilder kept, String name, String value) {
            kept.append(kept.length() == 1 ? "" : ",")
                    .append(JsonMapper.shared().writeValueAsString(name))
                    .append(':')
                    .append(value);
        }
    }
}
