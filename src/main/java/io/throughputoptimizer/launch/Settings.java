package io.throughputoptimizer.launch;

import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.EngineOptions.Entry;
import io.throughputoptimizer.catalog.LaunchOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Options of one instance in the syntax of an engine, with notes. Not thread-safe.
final class Settings {
    private final EngineOptions engine;
    private final String vendor;
    private final List<Setting> settings = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Set<String> unsure = new LinkedHashSet<>();
    private final Set<String> withoutOption = new LinkedHashSet<>();

    /// @param vendor vendor of the devices
    Settings(EngineOptions engine, String vendor) {
        this.engine = engine;
        this.vendor = vendor;
        environment.putAll(engine.environment());
    }

    /// An option as written.
    ///
    /// @param source engine file that documents it
    record Setting(String text, String source) {}

    Settings set(LaunchOption option, Map<String, ?> figures) {
        return write(engine.option(option, vendor), figures);
    }

    /// Adds an entry of the engine that is not an option of the plan.
    Settings set(Entry entry, Map<String, ?> figures) {
        return write(entry, figures);
    }

    Settings set(LaunchOption option, Object figure) {
        return set(option, Map.of("n", figure));
    }

    Settings set(LaunchOption option) {
        return set(option, Map.of());
    }

    /// Records an option that the engine does not have.
    Settings lacking(String what) {
        withoutOption.add(what);
        return this;
    }

    Settings noting(String note) {
        notes.add(note);
        return this;
    }

    /// @throws CannotLaunchException if the engine has no such option
    private Settings write(Entry entry, Map<String, ?> figures) {
        if (entry.none() != null) {
            throw new CannotLaunchException(
                    CannotLaunchException.Subject.ENGINE, engine.title() + " cannot run this row: " + entry.none());
        }
        for (String text : entry.texts()) {
            String written = filled(text, figures);
            if (entry.environment() == null) {
                settings.add(new Setting(written, entry.source()));
            } else {
                environment.put(entry.environment(), written);
            }
        }
        if (entry.note() != null) {
            notes.add(filled(entry.note(), Map.of("option", entry.name())));
        }
        if (entry.unsure() != null) {
            unsure.add(filled(entry.unsure(), Map.of("option", entry.name())));
        }
        return this;
    }

    static String filled(String text, Map<String, ?> figures) {
        String filled = text;
        for (Map.Entry<String, ?> figure : figures.entrySet()) {
            filled = filled.replace("{" + figure.getKey() + "}", String.valueOf(figure.getValue()));
        }
        return filled;
    }

    void environment(Map<String, String> variables) {
        environment.putAll(variables);
    }

    List<Setting> settings() {
        return settings;
    }

    Map<String, String> environment() {
        return environment;
    }

    Set<String> notes() {
        return notes;
    }

    Set<String> unsure() {
        return unsure;
    }

    Set<String> withoutOption() {
        return withoutOption;
    }
}
