package io.throughputoptimizer.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/// Stored digest of a secret: SHA-256 of a salt and the secret. One round suffices for 256 random bits; slow
/// functions such as bcrypt are for passwords.
///
/// @param salt hexadecimal digits
/// @param hash hexadecimal digits
record KeyDigest(String salt, String hash) {
    private static final int SALT_BYTES = 16;

    static KeyDigest of(ApiKey key, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new KeyDigest(HexFormat.of().formatHex(salt), HexFormat.of().formatHex(hash(salt, key)));
    }

    /// Compares in constant time.
    boolean matches(ApiKey key) {
        return MessageDigest.isEqual(
                HexFormat.of().parseHex(hash), hash(HexFormat.of().parseHex(salt), key));
    }

    private static byte[] hash(byte[] salt, ApiKey key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return digest.digest(key.secret().getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
