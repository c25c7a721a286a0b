package io.throughputoptimizer.api.problem;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A problem, as in RFC 9457.
///
/// @param type kind of problem; `about:blank` if the status says it all
/// @param errors violations of a request, at most [#MOST_ERRORS]
/// @param moreErrors whether there are more violations; absent if not
/// @param retryable whether a failed job can succeed if the same request is sent again
public record Problem(
        URI type,
        String title,
        int status,
        String detail,
        @Nullable List<Fault> errors,
        @Nullable Boolean moreErrors,
        @Nullable Boolean retryable) {
    public static final int MOST_ERRORS = 100;

    private static final String TYPES = "/problems/";
    private static final String EARLIER_TYPES = "urn:throughput-optimizer:problem:";
    private static final Pattern INDEX = Pattern.compile("/(\\d+)(?=/|$)");
    private static final Pattern PREDICATE = Pattern.compile(
            "^(applies|are|can|cannot|exceeds?|goes|has|have|holds|is|lacks|leaves?|makes?|may|must|names|needs?"
                    + "|reaches|requires?|says|takes)\\b");
    private static final int LONGEST_DETAIL = 1_000;
    private static final int LONGEST_MESSAGE = 500;
    private static final int LONGEST_PLACE = 200;

    public Problem {
        detail = cut(detail, LONGEST_DETAIL);
        // Earlier versions stored the problems of failed jobs with other types.
        type = type.toString().startsWith(EARLIER_TYPES)
                ? URI.create(TYPES + type.toString().substring(EARLIER_TYPES.length()))
                : type;
    }

    /// A broken rule; exactly one of `pointer` and `parameter` says where.
    ///
    /// @param pointer member of the body, as a JSON pointer (RFC 6901)
    /// @param parameter query parameter or header
    @Schema(name = "Fault")
    public record Fault(
            @Nullable String pointer,
            @Nullable String parameter,
            @JsonAlias("message") String detail) {
        public Fault {
            pointer = pointer == null ? null : cut(pointer, LONGEST_PLACE);
            parameter = parameter == null ? null : cut(parameter, LONGEST_PLACE);
            detail = cut(detail, LONGEST_MESSAGE);
        }

        /// A member of the body that breaks a rule.
        public static Fault of(Violation violation) {
            String pointer = cut(violation.pointer(), LONGEST_PLACE);
            return new Fault(pointer, null, sentence(member(pointer), violation.message()));
        }

        private static Fault of(String parameter, String rule) {
            return new Fault(null, parameter, sentence(cut(parameter, LONGEST_PLACE), rule));
        }

        /// Returns `slo.ttft_ms` for `/slo/ttft_ms`, and `devices[0]` for `/devices/0`.
        private static String member(String pointer) {
            return pointer.isEmpty()
                    ? "The request body"
                    : INDEX.matcher(pointer.substring(1))
                            .replaceAll("[$1]")
                            .replace('/', '.')
                            .replace("~1", "/")
                            .replace("~0", "~");
        }

        private static String sentence(String subject, String rule) {
            String words = subject + (PREDICATE.matcher(rule).find() ? " " : ": ") + rule;
            return words.endsWith(".") || words.endsWith("?") ? words : words + ".";
        }
    }

    /// A problem that its status describes.
    public static Problem plain(int status, String title, String detail) {
        return new Problem(URI.create("about:blank"), title, status, detail, null, null, null);
    }

    /// Returns the problem of a caller beyond its rate limit.
    public static Problem rateLimited() {
        return of(
                ProblemKind.RATE_LIMITED,
                "The caller exceeds its requests per minute. Retry after the time in Retry-After.");
    }

    /// A problem of a kind.
    public static Problem of(ProblemKind kind, String detail) {
        return of(kind, detail, null, null);
    }

    private static Problem of(
            ProblemKind kind, String detail, @Nullable List<Fault> errors, @Nullable Boolean moreErrors) {
        return new Problem(
                URI.create(TYPES + kind.word()), kind.title(), kind.status(), detail, errors, moreErrors, null);
    }

    /// A body that breaks rules.
    public static Problem invalidBody(List<Violation> violations) {
        return invalid(violations.stream().map(Fault::of).toList());
    }

    /// Query parameters or headers that break rules.
    ///
    /// @param rules value and rule by parameter
    public static Problem invalidParameters(Map<String, String> rules) {
        return invalid(rules.entrySet().stream()
                .map(broken -> Fault.of(broken.getKey(), broken.getValue()))
                .toList());
    }

    /// Last part of the type; null when the status says it all.
    @JsonIgnore
    public @Nullable String kind() {
        String text = type.toString();
        return text.startsWith(TYPES) ? text.substring(TYPES.length()) : null;
    }

    /// Returns a copy that says whether the same request can succeed if sent again.
    public Problem withRetryable(boolean worthwhile) {
        return new Problem(type, title, status, detail, errors, moreErrors, worthwhile);
    }

    private static Problem invalid(List<Fault> faults) {
        List<Fault> listed = faults.stream().limit(MOST_ERRORS).toList();
        boolean more = faults.size() > listed.size();
        return of(ProblemKind.INVALID_REQUEST, summary(listed, more), listed, more ? true : null);
    }

    private static String summary(List<Fault> listed, boolean more) {
        String first = listed.getFirst().detail;
        String others = more ? "at least " + listed.size() : String.valueOf(listed.size() - 1);
        return listed.size() == 1 ? first : first + " See errors for " + others + " more.";
    }

    /// Text of bounded length in which every character is whole, wherever it was cut before.
    private static String cut(String text, int longest) {
        String shown = text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
        return new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /// Values of the `Retry-After` header (RFC 9110, 10.2.3).
    public static final class RetryAfter {
        private static final long ALMOST_A_SECOND = 999_999_999;

        private RetryAfter() {}

        /// Whole seconds, not fewer than there are to wait, and one at least.
        public static String seconds(Duration wait) {
            return Long.toString(Math.max(1, wait.plusNanos(ALMOST_A_SECOND).toSeconds()));
        }
    }
}
