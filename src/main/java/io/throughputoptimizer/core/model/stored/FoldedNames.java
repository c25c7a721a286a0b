package io.throughputoptimizer.core.model.stored;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A configuration whose individual module names per layer and expert are folded into equivalent expressions:
/// `re:` and one expression for names that differ only in numbers, as the tools write them. Published files
/// list tens of thousands of names.
///
/// Names are folded if the numbers at each position occur in every combination, as for all experts of some
/// layers; others are kept.
public final class FoldedNames {
    /// Section for the content of the separate file that some tools write, in a merged configuration.
    public static final String FILE_BESIDE = "hf_quant_config";

    private static final String REGULAR = "re:";
    private static final String GROUPS = "config_groups";
    private static final String INSIDE = "quantization";
    private static final Pattern NUMBER = Pattern.compile("(?<![^.])(0|[1-9]\\d{0,5})(?![^.])");
    private static final int FEWEST = 3;

    private FoldedNames() {}

    /// @param config a Hugging Face `config.json`
    public static Map<String, @Nullable Object> of(Map<String, ? extends @Nullable Object> config) {
        Map<String, @Nullable Object> folded = new LinkedHashMap<>(config);
        folded.replaceAll((key, value) -> switch (key) {
            case "text_config" -> value instanceof Map<?, ?> text ? of(texts(text)) : value;
            case StoredQuantizationConfig.KEY, StoredQuantizationConfig.OLD_KEY, FILE_BESIDE ->
                value instanceof Map<?, ?> map ? section(map) : value;
            default -> value;
        });
        return folded;
    }

    private static Map<String, @Nullable Object> section(Map<?, ?> section) {
        Map<String, @Nullable Object> folded = texts(section);
        folded.replaceAll((key, value) -> {
            if (StoredQuantizationConfig.IGNORED.contains(key) && value instanceof List<?> names) {
                return list(names);
            } else if (value instanceof Map<?, ?> inside) {
                return switch (key) {
                    case INSIDE -> section(inside);
                    case StoredQuantizationConfig.LAYERS -> layers(texts(inside));
                    case GROUPS -> groups(inside);
                    default -> value;
                };
            }
            return value;
        });
        return folded;
    }

    private static Map<String, @Nullable Object> groups(Map<?, ?> groups) {
        Map<String, @Nullable Object> folded = texts(groups);
        folded.replaceAll((_, group) -> {
            if (group instanceof Map<?, ?> members && members.get("targets") instanceof List<?> targets) {
                Map<String, @Nullable Object> changed = texts(members);
                changed.put("targets", list(targets));
                return changed;
            }
            return group;
        });
        return folded;
    }

    private static List<@Nullable Object> list(List<?> names) {
        List<@Nullable Object> others = new ArrayList<>();
        List<String> plain = new ArrayList<>();
        for (Object name : names) {
            if (name instanceof String text && !text.startsWith(REGULAR) && !text.contains("*")) {
                plain.add(text);
            } else {
                others.add(name);
            }
        }
        List<@Nullable Object> folded = new ArrayList<>(folded(plain));
        folded.addAll(others);
        return folded;
    }

    /// Folds modules with equal formats.
    private static Map<String, @Nullable Object> layers(Map<String, @Nullable Object> said) {
        Map<Object, List<String>> bySaid = new LinkedHashMap<>();
        Map<String, @Nullable Object> folded = new LinkedHashMap<>();
        said.forEach((name, what) -> {
            if (what == null || name.startsWith(REGULAR) || name.contains("*")) {
                folded.put(name, what);
            } else {
                bySaid.computeIfAbsent(what, _ -> new ArrayList<>()).add(name);
            }
        });
        bySaid.forEach((what, names) -> folded(names).forEach(name -> folded.put(name, what)));
        return folded;
    }

    private static List<String> folded(List<String> names) {
        Map<String, List<String>> byShape = new LinkedHashMap<>();
        names.forEach(name -> byShape.computeIfAbsent(NUMBER.matcher(name).replaceAll("#"), _ -> new ArrayList<>())
                .add(name));
        return byShape.values().stream()
                .flatMap(alike -> together(alike).stream())
                .toList();
    }

    /// Folds names that differ only in numbers into one if possible.
    private static List<String> together(List<String> alike) {
        List<List<Integer>> all = alike.stream().map(FoldedNames::numbers).toList();
        List<NavigableSet<Integer>> places = IntStream.range(0, all.getFirst().size())
                .<NavigableSet<Integer>>mapToObj(place ->
                        all.stream().map(numbers -> numbers.get(place)).collect(Collectors.toCollection(TreeSet::new)))
                .toList();
        double combinations = places.stream().mapToDouble(NavigableSet::size).reduce(1, (one, other) -> one * other);
        return all.size() >= FEWEST && all.stream().distinct().count() == combinations
                ? List.of(expression(alike.getFirst(), places))
                : alike;
    }

    private static List<Integer> numbers(String name) {
        return NUMBER.matcher(name)
                .results()
                .map(MatchResult::group)
                .map(Integer::valueOf)
                .toList();
    }

    /// Returns an expression for the modules of a name with the given numbers, submodules included.
    private static String expression(String name, List<NavigableSet<Integer>> places) {
        StringBuilder expression = new StringBuilder(REGULAR + "(?:.*\\.)?");
        Matcher number = NUMBER.matcher(name);
        int end = 0;
        for (NavigableSet<Integer> numbers : places) {
            number.find();
            expression.append(name.substring(end, number.start()).replace(".", "\\."));
            expression.append("(?:").append(NumberRanges.of(numbers)).append(')');
            end = number.end();
        }
        return expression
                .append(name.substring(end).replace(".", "\\."))
                .append("(?:\\..*)?$")
                .toString();
    }

    private static Map<String, @Nullable Object> texts(Map<?, ?> map) {
        Map<String, @Nullable Object> texts = new LinkedHashMap<>();
        map.forEach((key, value) -> texts.put(String.valueOf(key), value));
        return texts;
    }

    /// Formats numbers as a regular expression: `0|[1-9]|1[0-2]` for numbers up to twelve.
    static final class NumberRanges {
        private static final int TEN = 10;

        private NumberRanges() {}

        /// @param numbers numbers of at least 0
        static String of(SortedSet<Integer> numbers) {
            List<String> ranges = new ArrayList<>();
            Iterator<Integer> rest = numbers.iterator();
            int first = rest.next();
            int last = first;
            while (rest.hasNext()) {
                int next = rest.next();
                if (next > last + 1) {
                    add(first, last, ranges);
                    first = next;
                }
                last = next;
            }
            add(first, last, ranges);
            return String.join("|", ranges);
        }

        /// Adds a range of numbers, in blocks of a power of ten with equal digit counts.
        private static void add(int first, int last, List<String> ranges) {
            int from = first;
            while (from <= last) {
                int block = 1;
                while (from >= block * TEN && from % (block * TEN) == 0 && from + block * TEN - 1 <= last) {
                    block *= TEN;
                }
                int prefix = from / block;
                int more = 0;
                while (prefix % TEN + more < TEN - 1 && from + (more + 2L) * block - 1 <= last) {
                    more++;
                }
                String head = prefix >= TEN ? String.valueOf(prefix / TEN) : "";
                int digit = prefix % TEN;
                String digits = more == 0 ? String.valueOf(digit) : "[" + digit + "-" + (digit + more) + "]";
                ranges.add(head + digits + "\\d".repeat(String.valueOf(block).length() - 1));
                from += (more + 1) * block;
            }
        }
    }
}
