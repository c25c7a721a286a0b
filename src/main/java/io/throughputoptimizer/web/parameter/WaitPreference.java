package io.throughputoptimizer.web.parameter;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The `wait` preference of a `Prefer` header (RFC 7240): how long the caller would wait for the finished
/// job.
public record WaitPreference(long seconds) {
    /// Header of answers that says what was done of a `Prefer` header.
    public static final String APPLIED = "Preference-Applied";

    private static final Pattern WAIT = Pattern.compile(
            "(?:^|,)\\s*wait\\s*=\\s*(?:\"(\\d{1,9})\"|(\\d{1,9}))\\s*(?=$|[,;])", Pattern.CASE_INSENSITIVE);

    /// The first one in the header, cut to `longest`; empty if there is none that can be understood,
    /// since such preferences are to be ignored.
    public static Optional<WaitPreference> in(@Nullable String header, Duration longest) {
        Matcher matcher = WAIT.matcher(header == null ? "" : header);
        if (!matcher.find()) {
            return Optional.empty();
        }
        String seconds = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return Optional.of(new WaitPreference(Math.min(Long.parseLong(seconds), longest.toSeconds())));
    }

    /// The wait of the header, or `longest` if it has none.
    public static WaitPreference orLongest(@Nullable String header, Duration longest) {
        return in(header, longest).orElse(new WaitPreference(longest.toSeconds()));
    }

    public Duration duration() {
        return Duration.ofSeconds(seconds);
    }

    /// Value of the `Preference-Applied` header.
    public String applied() {
        return "wait=" + seconds;
    }
}
