package io.throughputoptimizer.api.key;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Required;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A key to be made, as it comes over the wire.
@Schema(name = "KeyRequest")
public record KeyRequest(
        @Required @Pattern(regexp = KeyRequest.NAME) @Nullable
        String name,

        @Size(min = 1, max = 3) @Nullable List<@NotNull Role> roles,
        @Min(1) @Max(KeyRequest.MOST_DAYS) @Nullable Integer expiresInDays) {
    /// Pattern of key names.
    public static final String NAME = "^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$";

    public static final int DEFAULT_DAYS = 365;
    public static final int MOST_DAYS = 36_500;

    public KeyRequest {
        roles = roles == null ? List.of(Role.SUBMIT) : roles;
        expiresInDays = expiresInDays == null ? DEFAULT_DAYS : expiresInDays;
    }
}
