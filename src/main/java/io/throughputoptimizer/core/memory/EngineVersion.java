package io.throughputoptimizer.core.memory;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// First two numbers of an engine's version, such as 0.19 of `v0.19.1`.
public record EngineVersion(int major, int minor) implements Comparable<EngineVersion> {
    private static final Pattern WRITTEN = Pattern.compile("v?(\\d{1,6})\\.(\\d{1,6})(?!\\d)");

    /// Returns the version that a text begins with, or empty if it begins with none.
    public static Optional<EngineVersion> of(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        return matcher.lookingAt()
                ? Optional.of(new EngineVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(EngineVersion other) {
        return major == other.major ? Integer.compare(minor, other.minor) : Integer.compare(major, other.major);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
