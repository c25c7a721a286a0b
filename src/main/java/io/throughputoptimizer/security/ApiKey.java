package io.throughputoptimizer.security;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A key as its holder has it: `tpo_ID_SECRET`. The id finds it, and may be known to others; the secret is 256 random
/// bits.
public final class ApiKey {
    private static final String PREFIX = "tpo_";
    private static final Pattern FORM = Pattern.compile(PREFIX + "([0-9a-f]{16})_([A-Za-z0-9_-]{43})");
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;

    private final String id;
    private final String secret;

    private ApiKey(String id, String secret) {
        this.id = id;
        this.secret = secret;
    }

    /// A new key that nobody can guess.
    static ApiKey make(SecureRandom random) {
        return new ApiKey(
                HexFormat.of().formatHex(bytes(random, ID_BYTES)),
                Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(random, SECRET_BYTES)));
    }

    private static byte[] bytes(SecureRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /// Empty if the text has not the form of a key.
    static Optional<ApiKey> parse(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches() ? Optional.of(new ApiKey(form.group(1), form.group(2))) : Optional.empty();
    }

    public String id() {
        return id;
    }

    String secret() {
        return secret;
    }

    /// The whole key, which is shown once, to its holder.
    public String reveal() {
        return PREFIX + id + "_" + secret;
    }

    /// Without the secret, so that no log has it.
    @Override
    public String toString() {
        return PREFIX + id;
    }
}
