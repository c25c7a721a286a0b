package io.throughputoptimizer.api;

import java.util.Locale;

/// Names of Kubernetes objects.
public final class ObjectName {
    /// Maximum length, so that Pod names with a role stay within the 63 characters of a label.
    private static final int LONGEST = 37;

    private ObjectName() {}

    /// Returns the name of the objects that serve a model: a DNS label that starts with a letter, as names of
    /// Services require.
    public static String of(String model) {
        String last = model.substring(model.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String plain = last.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String label = plain.matches("[a-z].*") ? plain : "model-" + plain;
        return label.substring(0, Math.min(label.length(), LONGEST)).replaceAll("-+$", "");
    }
}
