package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Filter of a list of jobs.
///
/// @param statuses statuses to include; empty for all
/// @param starred whether to include only starred jobs
/// @param words words in lower case, each contained in name or model
/// @param before upper bound of the ids of the page; null for the first page
public record JobQuery(
        Set<JobStatus> statuses,
        boolean starred,
        List<String> words,
        @Nullable UUID before,
        int limit) {
    static final int LARGEST_PAGE = 100;

    /// Maximum characters of a search text, which limits its words to half that number.
    public static final int LONGEST_SEARCH = 100;

    private static final Pattern BLANKS = Pattern.compile("\\s+");
    public static final String DEFAULT_PAGE = "20";

    /// @throws InvalidParameterException if a query parameter breaks a rule
    public static JobQuery of(
            @Nullable List<String> statuses, String starred, String search, String limit, @Nullable String cursor) {
        return new JobQuery(
                statuses(statuses),
                ParameterValue.isTrue("starred", starred),
                words(search),
                before(cursor),
                limit(limit));
    }

    private static List<String> words(String search) {
        if (search.length() > LONGEST_SEARCH) {
            throw new InvalidParameterException("q", "must be at most " + LONGEST_SEARCH + " characters");
        }
        return BLANKS.splitAsStream(search.toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static Set<JobStatus> statuses(@Nullable List<String> names) {
        Set<JobStatus> statuses = EnumSet.noneOf(JobStatus.class);
        for (String name : names == null ? List.<String>of() : names) {
            statuses.add(Arrays.stream(JobStatus.values())
                    .filter(status -> WireFormat.name(status).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new InvalidParameterException(
                            "status", "must be one of " + wireNames() + ", got \"" + name + "\"")));
        }
        return statuses;
    }

    public static @Nullable UUID before(@Nullable String cursor) {
        try {
            return cursor == null ? null : UUID.fromString(cursor);
        } catch (IllegalArgumentException _) {
            throw new InvalidParameterException(
                    "cursor", "must be next_cursor of an earlier page, got \"" + cursor + "\"");
        }
    }

    public static int limit(String text) {
        return ParameterValue.asInt("limit", text, 1, LARGEST_PAGE);
    }

    private static String wireNames() {
        return Arrays.stream(JobStatus.values()).map(WireFormat::name).collect(Collectors.joining(", "));
    }
}
