package io.throughputoptimizer.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A key as its holder has it: `tpo_ID_SECRET`, or of a link that shows one job `tps_ID_SECRET`. The id finds
/// it, and may be known to others; the secret is 256 random bits.
public final class ApiKey {
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{16})_([A-Za-z0-9_-]{43})");
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;

    private final Kind kind;
    private final String id;
    private final String secret;

    /// What it opens: a key of one kind is none of the other.
    enum Kind {
        /// What its holder may do.
        CALLER("tpo_"),
        /// One job, to whoever has the link.
        SHARE("tps_");

        private final String prefix;

        Kind(String prefix) {
            this.prefix = prefix;
        }
    }

    private ApiKey(Kind kind, String id, String secret) {
        this.kind = kind;
        this.id = id;
        this.secret = secret;
    }

    /// A new key that nobody can guess.
    static ApiKey make(Kind kind, SecureRandom random) {
        return new ApiKey(
                kind,
                HexFormat.of().formatHex(bytes(random, ID_BYTES)),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(random, SECRET_BYTES)));
    }

    private static byte[] bytes(SecureRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Empty if the text has not the form of a key of this kind.
    static Optional<ApiKey> parse(Kind kind, String text) {
        if (!text.startsWith(kind.prefix)) {
            return Optional.empty();
        }
        Matcher form = FORM.matcher(text.substring(kind.prefix.length()));
        return form.matches() ? Optional.of(new ApiKey(kind, form.group(1), form.group(2))) : Optional.empty();
    }

    public String id() {
        return id;
    }

    String secret() {
        return secret;
    }

    /// The whole key, which is shown once, to its holder.
    public String reveal() {
        return kind.prefix + id + "_" + secret;
    }

    /// Without the secret, so that no log has it.
    @Override
    public String toString() {
        return kind.prefix + id;
    }
}
