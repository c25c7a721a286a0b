package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobStatus;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which jobs a caller lists.
///
/// @param statuses empty for all
/// @param before id that the page begins below; absent for the first page
public record JobQuery(Set<JobStatus> statuses, @Nullable UUID before, int limit) {
    static final int LARGEST_PAGE = 100;
    public static final String DEFAULT_PAGE = "20";

    /// @throws InvalidParameterException if a query parameter breaks a rule
    public static JobQuery of(@Nullable List<String> statuses, String limit, @Nullable String cursor) {
        return new JobQuery(statuses(statuses), before(cursor), limit(limit));
    }

    private static Set<JobStatus> statuses(@Nullable List<String> names) {
        Set<JobStatus> statuses = EnumSet.noneOf(JobStatus.class);
        for (String name : names == null ? List.<String>of() : names) {
            statuses.add(Arrays.stream(JobStatus.values())
                    .filter(status -> WireFormat.name(status).equals(name))
                    .findFirst()
                    .orElseThrow(() -> new InvalidParameterException(
                            "status", "is \"" + name + "\": one of " + wireNames() + " is needed")));
        }
        return statuses;
    }

    public static @Nullable UUID before(@Nullable String cursor) {
        try {
            return cursor == null ? null : UUID.fromString(cursor);
        } catch (IllegalArgumentException _) {
            throw new InvalidParameterException(
                    "cursor", "is \"" + cursor + "\": next_cursor of an earlier page is needed");
        }
    }

    public static int limit(String text) {
        return WholeParameter.asInt("limit", text, 1, LARGEST_PAGE);
    }

    private static String wireNames() {
        return Arrays.stream(JobStatus.values()).map(WireFormat::name).collect(Collectors.joining(", "));
    }
}
