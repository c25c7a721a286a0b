package io.throughputoptimizer.job;

import io.throughputoptimizer.share.Sharer;
import org.jspecify.annotations.Nullable;

/// Submitter of a job.
///
/// @param owner authenticated submitter; null without access control
/// @param idempotencyKey key with which that owner can resubmit it, without spaces
/// @param sharer caller whose quota it counts against: the owner if there is one
public record Origin(@Nullable String owner, @Nullable String idempotencyKey, Sharer sharer) {
    public static final Origin UNKNOWN = new Origin(null, null, Sharer.NOBODY);

    private static final String SEPARATOR = " ";

    /// Returns the display name of the owner: the name of an API key or the subject of a token.
    @Nullable
    String ownerName() {
        return owner == null ? null : owner.substring(owner.indexOf(':') + 1);
    }

    public static Origin ofKey(String idempotencyKey) {
        return new Origin(null, idempotencyKey, Sharer.NOBODY);
    }

    /// Returns the stored idempotency key, unique per owner.
    @Nullable
    public String storedKey() {
        return idempotencyKey == null || owner == null ? idempotencyKey : idempotencyKey + SEPARATOR + owner;
    }

    /// Returns the stored sharer; null if it follows from the owner.
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
