package io.throughputoptimizer.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An API key in plain text: `tpo_ID_SECRET`, or `tps_ID_SECRET` for a share link to one job. The id is public;
/// the secret is 256 random bits.
public final class ApiKey {
    private static final Pattern FORM = Pattern.compile("([0-9a-f]{16})_([A-Za-z0-9_-]{43})");
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;

    private final Kind kind;
    private final String id;
    private final String secret;

    /// Kinds of keys, which are not interchangeable.
    enum Kind {
        /// API key of a caller with roles.
        CALLER("tpo_"),
        /// Share link to one job.
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

    /// Creates a random key.
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

    /// Parses a key of a kind; empty if the text has another form.
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

    /// Returns the whole key, which is shown to its holder once.
    public String reveal() {
        return kind.prefix + id + "_" + secret;
    }

    /// Returns the key without its secret, for logs.
    @Override
    public String toString() {
        return kind.prefix + id;
    }
}
