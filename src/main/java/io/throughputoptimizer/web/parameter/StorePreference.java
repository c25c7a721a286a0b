package io.throughputoptimizer.web.parameter;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The preference `keep=none` of a `Prefer` header (RFC 7240): that nothing is kept of the question and its
/// answer.
///
/// @param patience maximum wait of the caller; the longest wait by default
/// @param isRepresentation whether the header says `return=representation`, which every such answer is
public record StorePreference(WaitPreference patience, boolean isRepresentation) {
    /// Header of answers that says what was done of a `Prefer` header.
    public static final String APPLIED = "Preference-Applied";

    private static final Pattern KEEP_NONE = preference("keep", "none");
    private static final Pattern REPRESENTATION = preference("return", "representation");

    /// Empty if the answer may be kept.
    public static Optional<StorePreference> in(@Nullable String header, Duration longest) {
        if (header == null || !KEEP_NONE.matcher(header).find()) {
            return Optional.empty();
        }
        WaitPreference wait = WaitPreference.in(header, longest).orElse(new WaitPreference(longest.toSeconds()));
        return Optional.of(
                new StorePreference(wait, REPRESENTATION.matcher(header).find()));
    }

    /// Value of [#APPLIED].
    public String applied() {
        return patience.applied() + (isRepresentation ? ", return=representation" : "") + ", keep=none";
    }

    private static Pattern preference(String name, String value) {
        return Pattern.compile(
                "(?:^|,)\\s*%s\\s*=\\s*(?:\"%2$s\"|%2$s)\\s*(?=$|[,;])".formatted(name, value),
                Pattern.CASE_INSENSITIVE);
    }

    /// The `wait` preference of a `Prefer` header (RFC 7240): how long the caller would wait for the finished
    /// job.
    public record WaitPreference(long seconds) {
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

        public Duration duration() {
            return Duration.ofSeconds(seconds);
        }

        /// Value of the `Preference-Applied` header.
        public String applied() {
            return "wait=" + seconds;
        }
    }
}
