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

/// Who may call the service. [SettingsCheck] stops the start where a setting has a value that makes no sense.
///
/// @param access whether callers must show who they are
/// @param requestsPerMinute that one caller may send to one replica; 0: any number
/// @param maximumStreams event streams that one caller may have open at one replica; 0: its share of all
/// @param allowedOrigins web sites whose pages may call the service from a browser, besides its own; none by default
/// @param jwt who issues tokens besides keys; nobody by default
@Validated
@ConfigurationProperties("optimizer.security")
record SecurityProperties(
        @DefaultValue("automatic") Protection.Setting access,
        @DefaultValue("600") @Min(0) @Max(1_000_000) int requestsPerMinute,
        @DefaultValue("20") @Min(0) @Max(1_000_000) int maximumStreams,
        @DefaultValue @Takes(SettingKind.ORIGINS) List<String> allowedOrigins,
        @DefaultValue @Valid Jwt jwt) {

    /// @param issuer that tokens must name in `iss`, and that says where its keys are
    /// @param jwkSet where its keys are, if it does not say so itself
    /// @param audience that tokens must name in `aud`
    /// @param rolesClaim claim with the roles, a text with spaces or a list; dots lead into objects
    /// @param rolePrefix what a role begins with in that claim
    record Jwt(
            @Takes(SettingKind.ADDRESS) @Nullable String issuer,
            @Takes(SettingKind.ADDRESS_WITH_QUERY) @Nullable String jwkSet,
            @Takes(SettingKind.WORD) @Nullable String audience,

            @DefaultValue("scope") @Takes(SettingKind.CLAIM) String rolesClaim,

            @DefaultValue("optimizer:") @Takes(SettingKind.WORD_OR_NOTHING)
            String rolePrefix) {}
}
