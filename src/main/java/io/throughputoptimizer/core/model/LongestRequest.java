package io.throughputoptimizer.core.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Tokens of the longest request of a load, which must fit into the context of its model.
///
/// Tokens that a prefix cache holds are tokens of the context too, so the whole input counts.
///
/// @param text tokens of the text that comes in
/// @param output tokens generated
/// @param images tokens that its images become; 0 for a model that reads text only
public record LongestRequest(long text, long output, double images) {

    /// A request whose text counts what was generated already.
    public LongestRequest(long text, double images) {
        this(text, 0, images);
    }

    /// All of its tokens.
    public double tokens() {
        return text + output + images;
    }

    /// Why the model is not made for the request: the length, what comes to it, and the limit; empty when it is.
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
