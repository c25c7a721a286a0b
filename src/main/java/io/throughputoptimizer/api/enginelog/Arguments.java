package io.throughputoptimizer.api.enginelog;

import java.util.LinkedHashMap;
import java.util.Map;

/// Settings of a server as a line lists them, by name. Names have hyphens, as on the command line.
final class Arguments {
    private Arguments() {}

    /// Reads `name=value` and `'name': value` up to the bracket that closes the list. Values in brackets stay whole, so
    /// that names within them count for nothing.
    ///
    /// @param from first character within the list
    static Map<String, String> ofPython(String line, int from) {
        Map<String, String> values = new LinkedHashMap<>();
        int depth = 0;
        int begin = from;
        int separator = -1;
        char quote = 0;
        int index = from;
        for (; index < line.length() && depth >= 0; index++) {
            char c = line.charAt(index);
            if (quote != 0) {
                if (c == '\\') {
                    index++;
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '(' || c == '{' || c == '[') {
                depth++;
            } else if (c == ')' || c == '}' || c == ']') {
                depth--;
            } else if (depth == 0 && separator < 0 && (c == '=' || c == ':')) {
                separator = index;
            } else if (depth == 0 && c == ',') {
                put(values, line, begin, separator, index);
                begin = index + 1;
                separator = -1;
            }
        }
        put(values, line, begin, separator, depth < 0 ? index - 1 : Math.min(index, line.length()));
        return values;
    }

    private static void put(Map<String, String> values, String line, int begin, int separator, int end) {
        if (separator > begin && separator < end) {
            values.put(named(unquoted(line.substring(begin, separator))), unquoted(line.substring(separator + 1, end)));
        }
    }

    /// Reads `--name value`, `--name=value` and flags, which have the value `True`. The word after `serve` is the
    /// model.
    static Map<String, String> ofCommand(String command) {
        Map<String, String> values = new LinkedHashMap<>();
        String name = "";
        for (String word : command.strip().split("\\s+", 0)) {
            if (word.startsWith("-")) {
                int equals = word.indexOf('=');
                name = named(equals < 0 ? word : word.substring(0, equals));
                values.put(name, equals < 0 ? "True" : unquoted(word.substring(equals + 1)));
            } else if (!name.isEmpty()) {
                values.put(name.equals("serve") ? "model" : name, unquoted(word));
                name = "";
            }
            if (word.equals("serve")) {
                name = word;
            }
        }
        return values;
    }

    private static String named(String name) {
        int begin = 0;
        while (begin < name.length() && name.charAt(begin) == '-') {
            begin++;
        }
        return name.substring(begin).replace('_', '-');
    }

    private static String unquoted(String value) {
        String bare = value.strip();
        boolean quoted = bare.length() > 1
                && (bare.charAt(0) == '\'' || bare.charAt(0) == '"')
                && bare.charAt(bare.length() - 1) == bare.charAt(0);
        return quoted ? bare.substring(1, bare.length() - 1) : bare;
    }
}
