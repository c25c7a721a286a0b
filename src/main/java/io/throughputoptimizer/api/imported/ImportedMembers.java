package io.throughputoptimizer.api.imported;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Members of an object in another tool's file, which remembers those that were read.
final class ImportedMembers {
    private static final int LONGEST_TEXT = 256;
    private static final int LONGEST_LIST = 64;

    private final String pointer;
    private final Map<?, ?> members;
    private final Set<String> read = new HashSet<>();

    /// @param pointer of the object in its file
    ImportedMembers(String pointer, Map<?, ?> members) {
        this.pointer = pointer;
        this.members = members;
    }

    private @Nullable Object get(String name) {
        read.add(name);
        return members.get(name);
    }

    boolean has(String name) {
        return members.get(name) != null;
    }

    /// An object within; empty where it is absent.
    ImportedMembers inner(String name) {
        Object value = get(name);
        if (value == null) {
            return new ImportedMembers(pointer + "/" + name, Map.of());
        }
        if (value instanceof Map<?, ?> inner) {
            return new ImportedMembers(pointer + "/" + name, inner);
        }
        throw wrong(name, "an object");
    }

    @Nullable
    String text(String name) {
        Object value = get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof String text && text.length() <= LONGEST_TEXT) {
            return text;
        }
        if (value instanceof Number number) {
            return number.toString();
        }
        throw wrong(name, "a text of at most " + LONGEST_TEXT + " characters");
    }

    @Nullable
    Integer whole(String name) {
        Object value = get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Number number
                && number.doubleValue() == Math.rint(number.doubleValue())
                && Math.abs(number.doubleValue()) <= Integer.MAX_VALUE) {
            return number.intValue();
        }
        throw wrong(name, "a whole number");
    }

    @Nullable
    Double number(String name) {
        Object value = get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
            return number.doubleValue();
        }
        throw wrong(name, "a number");
    }

    boolean isTrue(String name) {
        return Boolean.TRUE.equals(get(name));
    }

    @Nullable
    List<Integer> wholes(String name) {
        Object value = get(name);
        if (value == null) {
            return null;
        }
        List<Integer> numbers = new ArrayList<>();
        if (value instanceof List<?> list && list.size() <= LONGEST_LIST) {
            for (Object element : list) {
                if (element instanceof Integer number) {
                    numbers.add(number);
                }
            }
            if (numbers.size() == list.size()) {
                return numbers;
            }
        }
        throw wrong(name, "a list of at most " + LONGEST_LIST + " whole numbers");
    }

    /// Members that nobody read.
    Set<String> others() {
        Set<String> others = new TreeSet<>();
        members.forEach((name, value) -> {
            if (value != null && !read.contains(String.valueOf(name))) {
                others.add(String.valueOf(name));
            }
        });
        return others;
    }

    private InvalidRequestException wrong(String name, String needed) {
        return new InvalidRequestException(List.of(
                new Violation(pointer + "/" + name.replace("~", "~0").replace("/", "~1"), needed + " is needed")));
    }
}
