package io.throughputoptimizer.web;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The series that a PromQL expression names.
///
/// @param metrics names of series
/// @param matchers `label="value"` that a series must have
/// @param groups labels that the answer is grouped by
record PromQuery(List<String> metrics, List<String> matchers, List<String> groups) {
    private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("\\w+=\"[^\"]*\"");
    private static final Pattern GROUPS = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][\\w:]*(?![\\w:]|\\s*\\()");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    static PromQuery of(String expression) {
        List<String> matchers = matches(MATCHERS, expression)
                .flatMap(braces -> matches(MATCHER, braces.group(1)))
                .map(MatchResult::group)
                .toList();
        String plain = expression.replaceAll(MATCHERS.pattern(), " ").replaceAll(RANGE.pattern(), " ");
        List<String> groups = matches(GROUPS, plain)
                .flatMap(labels -> Arrays.stream(labels.group(1).split("\\s*,\\s*", -1)))
                .map(String::strip)
                .toList();
        List<String> metrics = matches(NAME, plain.replaceAll(GROUPS.pattern(), " "))
                .map(MatchResult::group)
                .filter(name -> !WORDS.contains(name))
                .toList();
        return new PromQuery(metrics, matchers, groups);
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }
}
