package io.throughputoptimizer;

import io.throughputoptimizer.security.Protection;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/// Access control of the service. [SettingsCheck] stops the start where a setting has a value that makes no sense.
///
/// @param access whether callers must authenticate
/// @param requestsPerMinute maximum requests of one caller per minute and replica; 0: no limit
/// @param maximumStreams maximum event streams of one caller per replica; 0: its share of all
/// @param allowedOrigins other web sites whose pages can call the service from a browser; none by default
/// @param jwt issuer of tokens, in addition to keys; none by default
@Validated
@ConfigurationProperties("optimizer.security")
record SecurityProperties(
        @DefaultValue("automatic") Protection.Setting access,
        @DefaultValue("600") @Min(0) @Max(1_000_000) int requestsPerMinute,
        @DefaultValue("20") @Min(0) @Max(1_000_000) int maximumStreams,
        @DefaultValue @Takes(SettingKind.ORIGINS) List<String> allowedOrigins,
        @DefaultValue @Valid Jwt jwt) {

    /// @param issuer issuer that tokens must name in `iss`, which also publishes the location of its keys
    /// @param jwkSet location of the issuer's keys, if it does not publish it
    /// @param audience audience that tokens must name in `aud`
    /// @param rolesClaim claim with the roles, a text with spaces or a list; dots lead into objects
    /// @param rolePrefix prefix of roles in that claim
    record Jwt(
            @Takes(SettingKind.ADDRESS) @Nullable String issuer,
            @Takes(SettingKind.ADDRESS_WITH_QUERY) @Nullable String jwkSet,
            @Takes(SettingKind.WORD) @Nullable String audience,

            @DefaultValue("scope") @Takes(SettingKind.CLAIM) String rolesClaim,

            @DefaultValue("optimizer:") @Takes(SettingKind.WORD_OR_NOTHING)
            String rolePrefix) {}
}
