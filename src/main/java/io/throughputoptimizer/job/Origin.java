package io.throughputoptimizer.job;

import org.jspecify.annotations.Nullable;

/// Where a job comes from.
///
/// @param owner who submitted it; absent where nobody is asked who he is
/// @param idempotencyKey under which that owner may submit it again, without spaces
public record Origin(@Nullable String owner, @Nullable String idempotencyKey) {
    public static final Origin UNKNOWN = new Origin(null, null);

    private static final String SEPARATOR = " ";

    public static Origin ofKey(String idempotencyKey) {
        return new Origin(null, idempotencyKey);
    }

    /// As it is stored: no two owners have one in common.
    @Nullable
    String storedKey() {
        return idempotencyKey == null || owner == null ? idempotencyKey : idempotencyKey + SEPARATOR + owner;
    }

    static Origin stored(@Nullable String owner, @Nullable String storedKey) {
        return new Origin(owner, storedKey == null ? null : storedKey.split(SEPARATOR, 2)[0]);
    }
}
