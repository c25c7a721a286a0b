package io.throughputoptimizer.core.model.stored;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// A pattern of module names: a regular expression that matches from the start of a path, or a path with `*`,
/// which matches modules and their submodules.
record ModulePattern(Pattern expression) {
    private static final int MOST_CHARACTERS = 1000;
    /// Maximum characters that an expression can read for a path of a hundred; expressions written by tools
    /// need far fewer.
    private static final int MOST_LOOKS = 20_000;

    /// @throws IllegalArgumentException if the expression is invalid
    static ModulePattern regular(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "a pattern of modules is longer than " + MOST_CHARACTERS + " characters");
        }
        try {
            return new ModulePattern(Pattern.compile(text));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("\"" + text + "\" is no regular expression", e);
        }
    }

    /// @throws IllegalArgumentException if it is too long
    static ModulePattern path(String text) {
        return regular("\\Q" + text.replace("*", "\\E.*\\Q") + "\\E(\\..*)?$");
    }

    /// @throws IllegalArgumentException if the budget is exceeded
    boolean matches(String path, ModuleComparison comparison) {
        return expression.matcher(new Watched(path, comparison)).lookingAt();
    }

    /// A text that counts reads, since some expressions never end.
    private static final class Watched implements CharSequence {
        private final String text;
        private final ModuleComparison comparison;
        private int looks;

        private Watched(String text, ModuleComparison comparison) {
            this.text = text;
            this.comparison = comparison;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            comparison.looked();
            looks++;
            if (looks > MOST_LOOKS) {
                throw new IllegalArgumentException("a pattern of modules takes too long to match");
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
