package io.throughputoptimizer.launch;

import java.util.ArrayList;
import java.util.List;

/// Splits an option into shell words, with single quotes only.
final class ShellWords {
    private ShellWords() {}

    static List<String> of(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean begun = false;
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            if (character == '\'') {
                quoted = !quoted;
                begun = true;
            } else if (character == ' ' && !quoted) {
                if (begun) {
                    words.add(word.toString());
                    word.setLength(0);
                    begun = false;
                }
            } else {
                word.append(character);
                begun = true;
            }
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }
}
