package io.throughputoptimizer.api.imported;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A request that is put together from members of another tool's file. Used by one thread.
public final class ImportedRequest {
    private final String name;
    private final Map<String, Object> request = new LinkedHashMap<>();
    private final List<String> assumed = new ArrayList<>();
    private final Map<String, String> leftOut = new TreeMap<>();

    /// @param name of the experiment in the file
    ImportedRequest(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    /// Members of an [OptimizationRequest].
    public Map<String, Object> request() {
        return request;
    }

    /// What the file does not say and the request needs, in words.
    public List<String> assumed() {
        return assumed;
    }

    /// Members of the file that have no counterpart, with the reason.
    public Map<String, String> leftOut() {
        return leftOut;
    }

    /// @param path of the member, its names apart by `/`
    ImportedRequest put(String path, @Nullable Object value) {
        if (value == null) {
            return this;
        }
        Map<String, Object> members = request;
        String[] names = path.split("/", -1);
        for (int index = 0; index < names.length - 1; index++) {
            members = inner(members, names[index]);
        }
        members.put(names[names.length - 1], value);
        return this;
    }

    @SuppressWarnings("unchecked") // only this class fills the maps
    private static Map<String, Object> inner(Map<String, Object> members, String name) {
        return (Map<String, Object>) members.computeIfAbsent(name, _ -> new LinkedHashMap<String, Object>());
    }

    ImportedRequest assume(String path, Object value, String why) {
        assumed.add(path.replace('/', '.') + " is " + value + ": " + why);
        return put(path, value);
    }

    ImportedRequest leave(String member, String why) {
        leftOut.put(member, why);
        return this;
    }
}
