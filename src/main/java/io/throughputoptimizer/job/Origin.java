package io.throughputoptimizer.job;

import io.throughputoptimizer.share.Sharer;
import org.jspecify.annotations.Nullable;

/// Where a job comes from.
///
/// @param owner who submitted it; absent where nobody is asked who he is
/// @param idempotencyKey under which that owner may submit it again, without spaces
/// @param sharer whom it counts for: the owner if there is one
public record Origin(@Nullable String owner, @Nullable String idempotencyKey, Sharer sharer) {
    public static final Origin UNKNOWN = new Origin(null, null, Sharer.NOBODY);

    private static final String SEPARATOR = " ";

    /// The owner as people know it: the name of a key, or the subject of a token.
    @Nullable
    String ownerName() {
        return owner == null ? null : owner.substring(owner.indexOf(':') + 1);
    }

    public static Origin ofKey(String idempotencyKey) {
        return new Origin(null, idempotencyKey, Sharer.NOBODY);
    }

    /// As it is stored: no two owners have one in common.
    @Nullable
    public String storedKey() {
        return idempotencyKey == null || owner == null ? idempotencyKey : idempotencyKey + SEPARATOR + owner;
    }

    /// Whom it counts for is stored only where no owner says so.
    @Nullable
    public String storedSharer() {
        return owner == null && !sharer.equals(Sharer.NOBODY) ? sharer.name() : null;
    }

    public static Origin stored(@Nullable String owner, @Nullable String storedKey, @Nullable String storedSharer) {
        return new Origin(
                owner, storedKey == null ? null : storedKey.split(SEPARATOR, 2)[0], sharer(owner, storedSharer));
    }

    private static Sharer sharer(@Nullable String owner, @Nullable String storedSharer) {
        if (owner != null) {
            return Sharer.ofOwner(owner);
        }
        return storedSharer == null ? Sharer.NOBODY : new Sharer(storedSharer);
    }
}
