package io.throughputoptimizer.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Tokens of the longest request of a workload, which must fit in the context of the model.
///
/// Cached prefix tokens occupy the context too, so the whole input counts.
///
/// @param text input text tokens
/// @param output output tokens
/// @param images image tokens; 0 for a text-only model
public record LongestRequest(long text, long output, double images) {

    /// Returns the total number of tokens.
    public double tokens() {
        return text + output + images;
    }

    /// Returns the reason a request exceeds the context of the model, with length, parts and limit; empty if it
    /// fits.
    public Optional<String> obstacle(ModelArchitecture model) {
        double tokens = tokens();
        if (tokens <= model.contextTokens()) {
            return Optional.empty();
        }
        List<String> further = new ArrayList<>();
        if (output > 0) {
            further.add(output + " output tokens");
        }
        if (images > 0) {
            further.add(whole(images) + " tokens of images");
        }
        String sum = further.isEmpty()
                ? ""
                : "with " + String.join(" and ", further) + " that is " + whole(tokens) + ", and ";
        return Optional.of(text + ": " + sum + "the context of " + model.id() + " ends at " + model.contextTokens()
                + " tokens; with allow_beyond_context true it is priced all the same");
    }

    private static String whole(double tokens) {
        return String.format(Locale.ROOT, "%.0f", tokens);
    }
}
