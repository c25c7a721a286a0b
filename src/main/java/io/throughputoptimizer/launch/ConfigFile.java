package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.launch.Settings.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options as a configuration file: each text is a path of fields, a colon and a value; `members[]` is a list
/// of one object.
final class ConfigFile {
    private static final String LIST = "[]";

    private final Map<String, @Nullable Object> root = new LinkedHashMap<>();

    private ConfigFile() {}

    static String of(List<Setting> settings, WireFormat.Syntax syntax) {
        ConfigFile file = new ConfigFile();
        settings.forEach(setting -> file.put(setting.text()));
        return WireFormat.document(syntax, file.root);
    }

    private void put(String text) {
        int colon = text.indexOf(':');
        String[] path = text.substring(0, colon).split("\\.", -1);
        Map<String, @Nullable Object> members = root;
        for (int part = 0; part < path.length - 1; part++) {
            members = inner(members, path[part]);
        }
        members.put(path[path.length - 1], value(text.substring(colon + 1).strip()));
    }

    @SuppressWarnings("unchecked") // only this class fills the maps
    private static Map<String, @Nullable Object> inner(Map<String, @Nullable Object> members, String name) {
        if (!name.endsWith(LIST)) {
            return (Map<String, @Nullable Object>)
                    requireNonNull(members.computeIfAbsent(name, _ -> new LinkedHashMap<String, @Nullable Object>()));
        }
        String list = name.substring(0, name.length() - LIST.length());
        return ((List<Map<String, @Nullable Object>>) requireNonNull(
                        members.computeIfAbsent(list, _ -> List.of(new LinkedHashMap<String, @Nullable Object>()))))
                .getFirst();
    }

    private static @Nullable Object value(String text) {
        if (text.equals("null")) {
            return null;
        }
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (text.matches("[0-9]+")) {
            return Long.valueOf(text);
        }
        if (text.matches("[0-9]+[.][0-9]+")) {
            return Double.valueOf(text);
        }
        return text.startsWith("'") && text.endsWith("'") ? text.substring(1, text.length() - 1) : text;
    }
}
