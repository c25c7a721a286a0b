package io.throughputoptimizer.job;

import io.throughputoptimizer.quota.CallerId;
import org.jspecify.annotations.Nullable;

/// Submitter of a job.
///
/// @param owner authenticated submitter; null without access control
/// @param idempotencyKey key with which that owner can resubmit it, without spaces
/// @param callerId caller whose quota it counts against: the owner if there is one
public record Origin(@Nullable String owner, @Nullable String idempotencyKey, CallerId callerId) {
    public static final Origin UNKNOWN = new Origin(null, null, CallerId.UNKNOWN);

    private static final String SEPARATOR = " ";

    /// Returns the display name of the owner: the name of an API key or the subject of a token.
    @Nullable
    String ownerName() {
        return owner == null ? null : owner.substring(owner.indexOf(':') + 1);
    }

    public static Origin ofKey(String idempotencyKey) {
        return new Origin(null, idempotencyKey, CallerId.UNKNOWN);
    }

    /// Returns the stored idempotency key, unique per owner.
    @Nullable
    public String storedKey() {
        return idempotencyKey == null || owner == null ? idempotencyKey : idempotencyKey + SEPARATOR + owner;
    }

    /// Returns the stored caller id; null if it follows from the owner.
    @Nullable
    public String storedCallerId() {
        return owner == null && !callerId.equals(CallerId.UNKNOWN) ? callerId.name() : null;
    }

    public static Origin stored(@Nullable String owner, @Nullable String storedKey, @Nullable String storedCallerId) {
        return new Origin(
                owner, storedKey == null ? null : storedKey.split(SEPARATOR, 2)[0], callerId(owner, storedCallerId));
    }

    private static CallerId callerId(@Nullable String owner, @Nullable String storedCallerId) {
        if (owner != null) {
            return CallerId.ofOwner(owner);
        }
        return storedCallerId == null ? CallerId.UNKNOWN : new CallerId(storedCallerId);
    }
}
