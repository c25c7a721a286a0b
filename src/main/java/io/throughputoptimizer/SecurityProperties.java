package io.throughputoptimizer;

import io.throughputoptimizer.security.Protection;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Settings of who may call the service.
///
/// @param access callers that need a key: `automatic` (all, if there is a key or an issuer), `keys` (all)
///     or `open` (none)
/// @param requestsPerMinute maximum requests of one caller to one replica, if callers need keys; 0:
///     unlimited
/// @param maximumStreams maximum event streams of one caller at one replica, if callers need keys; 0: its
///     share of all
/// @param jwt issuer of tokens that are accepted in addition to keys
record SecurityProperties(
        @DefaultValue("automatic") Protection.Setting access,
        @DefaultValue("600") @Min(0) @Max(1_000_000) int requestsPerMinute,
        @DefaultValue("20") @Min(0) @Max(1_000_000) int maximumStreams,

        @DefaultValue @Valid Jwt jwt) {

    /// @param issuer required `iss` of tokens; its keys are found by OpenID discovery, or at `jwk-set`
    /// @param jwkSet address of the issuer's keys
    /// @param audience required `aud` of tokens
    /// @param rolesClaim claim with the roles, a string with spaces or a list; dots lead into objects
    /// @param rolePrefix prefix of roles in that claim
    record Jwt(
            @Pattern(
                    regexp = OptimizerProperties.ADDRESS,
                    message = "must begin with https:// or http:// and have a host, no user, no query and no fragment")
            @Nullable
            String issuer,

            @Pattern(
                    regexp = OptimizerProperties.ADDRESS + "(\\?[^#\\s]*)?",
                    message = "must begin with https:// or http:// and have a host, no user and no fragment")
            @Nullable
            String jwkSet,

            @Pattern(regexp = "\\S+", message = "must be a text without blanks") @Nullable
            String audience,

            @DefaultValue("scope")
            @Pattern(regexp = "[^\\s.]+(\\.[^\\s.]+)*", message = "must be a name, or names joined by dots")
            String rolesClaim,

            @DefaultValue("optimizer:") @Pattern(regexp = "\\S*", message = "must be a text without blanks, or empty")
            String rolePrefix) {
        Jwt {
            boolean hasIssuer = issuer != null || jwkSet != null;
            OptimizerProperties.require(
                    "optimizer.security.jwt.audience",
                    audience,
                    "come with optimizer.security.jwt.issuer or optimizer.security.jwt.jwk-set",
                    _ -> hasIssuer);
        }
    }
}
