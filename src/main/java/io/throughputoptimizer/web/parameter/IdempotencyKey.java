package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The `Idempotency-Key` header.
public final class IdempotencyKey {
    public static final String HEADER = "Idempotency-Key";

    private static final Pattern ALLOWED = Pattern.compile("[\\x21-\\x7e]{1,200}");

    private IdempotencyKey() {}

    /// The key as given, or null for none.
    ///
    /// @throws InvalidParameterException if it cannot serve as a key
    public static @Nullable String check(@Nullable String key) {
        if (key != null && !ALLOWED.matcher(key).matches()) {
            throw new InvalidParameterException(HEADER, "needs 1 to 200 visible ASCII characters");
        }
        return key;
    }
}
