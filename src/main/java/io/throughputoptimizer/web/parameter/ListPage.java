package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A page of a short list, oldest first, whose cursor is the id of its last entry.
///
/// @param nextCursor cursor of the next page; null on the last page
public record ListPage<T>(List<T> entries, @Nullable String nextCursor) {
    /// @param all all entries
    /// @param id id of an entry
    /// @param limit maximum entries on the page, as given
    /// @param cursor id of the last entry before the page, as given; null for the first page
    /// @throws InvalidParameterException if a parameter breaks a rule
    public static <T> ListPage<T> of(List<T> all, Function<T, String> id, String limit, @Nullable String cursor) {
        int most = JobQuery.limit(limit);
        int first = 0;
        if (cursor != null) {
            first = all.stream().map(id).toList().indexOf(cursor) + 1;
            if (first == 0) {
                throw new InvalidParameterException(
                        "cursor", "must be next_cursor of an earlier page, got \"" + cursor + "\"");
            }
        }
        List<T> entries = all.subList(first, Math.min(all.size(), first + most));
        return new ListPage<>(entries, first + most < all.size() ? id.apply(entries.getLast()) : null);
    }
}
