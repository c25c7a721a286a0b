package io.throughputoptimizer;

import io.throughputoptimizer.web.bound.AllowedHosts;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// What settings take that have no range: in words, and as a rule.
@SuppressWarnings("ImmutableEnumChecker") // The rules are lambdas without state.
enum SettingKind {
    READ_FOLDER("a folder that exists and can be read is needed", value -> isReadable(Path.of(value))),
    WRITTEN_FOLDER(
            "a folder that can be written, or made, is needed", value -> WritableFolder.isOrCanBe(Path.of(value))),
    STORAGE_FOLDER(
            "an absolute path is needed, or one that begins with ./, ../ or ~/, and no semicolon",
            Pattern.compile("(\\.{1,2}/|~/|/|[A-Za-z]:[/\\\\])[^;]*").asMatchPredicate()),
    ADDRESS(
            "an address is needed that begins with https:// or http:// and has a host, no user, no query and no fragment",
            value -> isAddress(value, false)),
    ADDRESS_WITH_QUERY(
            "an address is needed that begins with https:// or http:// and has a host, no user and no fragment",
            value -> isAddress(value, true)),
    WORD("a text without blanks is needed", Pattern.compile("\\S+").asMatchPredicate()),
    CLAIM(
            "a name is needed, or several with dots between them",
            Pattern.compile("[^\\s.]+(\\.[^\\s.]+)*").asMatchPredicate()),
    WORD_OR_NOTHING(
            "a text without blanks, or none, is needed", Pattern.compile("\\S*").asMatchPredicate()),
    HOSTS("different names or addresses without scheme and port are needed, or * for any") {
        @Override
        boolean takesAll(List<String> values) {
            return areDifferent(values) && areHosts(values);
        }
    },
    ORIGINS("different origins such as https://portal.example are needed, a scheme, a host and perhaps a port each") {
        @Override
        boolean takesAll(List<String> values) {
            return areDifferent(values.stream().map(SettingKind::withoutSlash).toList())
                    && values.stream().map(SettingKind::withoutSlash).allMatch(SettingKind::isOrigin);
        }
    };

    private static final int HIGHEST_PORT = 65_535;

    private final String words;
    private final Predicate<String> rule;

    SettingKind(String words) {
        this(words, _ -> true);
    }

    SettingKind(String words, Predicate<String> rule) {
        this.words = words;
        this.rule = rule;
    }

    /// What is needed, for people.
    String words() {
        return words;
    }

    /// Whether the empty text says something: a list without elements, or what is named so on purpose.
    boolean takesNothing() {
        return switch (this) {
            case HOSTS, ORIGINS, WORD_OR_NOTHING -> true;
            case READ_FOLDER, WRITTEN_FOLDER, STORAGE_FOLDER, ADDRESS, ADDRESS_WITH_QUERY, WORD, CLAIM -> false;
        };
    }

    /// @param value as it was read
    boolean takes(Object value) {
        return value instanceof Collection<?> list
                ? takesAll(list.stream().map(String::valueOf).toList())
                : rule.test(value.toString());
    }

    boolean takesAll(List<String> values) {
        return values.stream().allMatch(rule);
    }

    private static boolean isReadable(Path folder) {
        return Files.isDirectory(folder) && Files.isReadable(folder);
    }

    private static boolean isAddress(String text, boolean query) {
        try {
            URI address = new URI(text);
            return isWeb(address) && address.getRawFragment() == null && (query || address.getRawQuery() == null);
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static boolean isOrigin(String text) {
        try {
            URI origin = new URI(text);
            return isWeb(origin)
                    && origin.getRawPath().isEmpty()
                    && origin.getRawQuery() == null
                    && origin.getRawFragment() == null;
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static boolean isWeb(URI address) {
        return ("https".equals(address.getScheme()) || "http".equals(address.getScheme()))
                && address.getHost() != null
                && address.getRawUserInfo() == null
                && address.getPort() <= HIGHEST_PORT
                && address.getPort() != 0;
    }

    private static String withoutSlash(String origin) {
        return origin.endsWith("/") ? origin.substring(0, origin.length() - 1) : origin;
    }

    private static boolean areHosts(List<String> values) {
        try {
            AllowedHosts.of(values, "localhost");
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean areDifferent(List<String> values) {
        Set<String> seen = new HashSet<>();
        return values.stream().allMatch(value -> seen.add(value.toLowerCase(Locale.ROOT)));
    }
}
