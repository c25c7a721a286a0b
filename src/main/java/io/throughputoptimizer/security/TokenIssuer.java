package io.throughputoptimizer.security;

import io.throughputoptimizer.api.key.Role;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtDecoderInitializationException;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.web.client.RestOperations;

/// Authenticates callers by JSON Web Tokens (RFC 7519) of an issuer.
public final class TokenIssuer {
    private static final int LONGEST_SUBJECT = 255;
    /// Allowed subjects: they are logged, so they must not contain line breaks or directional characters.
    private static final Pattern VISIBLE = Pattern.compile("[^\\p{C}\\p{Zl}\\p{Zp}]+");

    private final JwtDecoder decoder;
    private final Settings settings;

    /// @param issuer required value of `iss`; also the source of the keys, read with the first token, unless
    ///     `jwkSet` is set
    /// @param jwkSet address of its public keys
    /// @param audience required value of `aud`; null for any
    /// @param rolesClaim claim with the roles, a space-separated string or a list; dots denote nested objects
    /// @param rolePrefix prefix of roles in that claim
    public record Settings(
            @Nullable String issuer,
            @Nullable String jwkSet,
            @Nullable String audience,
            String rolesClaim,
            String rolePrefix) {

        public boolean isSet() {
            return issuer != null || jwkSet != null;
        }
    }

    public TokenIssuer(Settings settings) {
        this.settings = settings;
        RestOperations client = IssuerClient.make();
        this.decoder = new SupplierJwtDecoder(() -> decoder(settings, client));
    }

    private static JwtDecoder decoder(Settings settings, RestOperations client) {
        NimbusJwtDecoder decoder = settings.jwkSet() != null
                ? NimbusJwtDecoder.withJwkSetUri(settings.jwkSet())
                        .discoverJwsAlgorithms()
                        .restOperations(client)
                        .build()
                : NimbusJwtDecoder.withIssuerLocation(java.util.Objects.requireNonNull(settings.issuer()))
                        .restOperations(client)
                        .build();
        OAuth2TokenValidator<Jwt> time = settings.issuer() == null
                ? JwtValidators.createDefault()
                : JwtValidators.createDefaultWithIssuer(settings.issuer());
        String audience = settings.audience();
        decoder.setJwtValidator(
                audience == null
                        ? time
                        : new DelegatingOAuth2TokenValidator<>(
                                time,
                                new JwtClaimValidator<Collection<String>>(
                                        "aud", named -> named != null && named.contains(audience))));
        return decoder;
    }

    /// @throws InvalidBearerTokenException if the token is invalid or names no subject
    /// @throws AuthenticationServiceException if the issuer's keys are unavailable
    Caller caller(String token) {
        Jwt jwt = decode(token);
        if (jwt.getExpiresAt() == null) {
            throw new InvalidBearerTokenException("The token needs an expiry time (exp).");
        }
        String subject = jwt.getSubject();
        if (subject == null
                || subject.length() > LONGEST_SUBJECT
                || !VISIBLE.matcher(subject).matches()) {
            throw new InvalidBearerTokenException("The token needs a subject (sub) of at most 255 visible characters.");
        }
        return Caller.ofToken(subject, roles(jwt));
    }

    private Jwt decode(String token) {
        try {
            return decoder.decode(token);
        } catch (BadJwtException e) {
            throw new InvalidBearerTokenException("The token is not valid.", e);
        } catch (JwtException | JwtDecoderInitializationException e) {
            throw new AuthenticationServiceException("the keys of the issuer of tokens cannot be had", e);
        }
    }

    private Set<Role> roles(Jwt jwt) {
        Object claim = jwt.getClaims();
        for (String step : settings.rolesClaim().split("\\.", -1)) {
            claim = claim instanceof Map<?, ?> object ? object.get(step) : null;
        }
        Set<Role> roles = EnumSet.noneOf(Role.class);
        words(claim)
                .filter(word -> word.startsWith(settings.rolePrefix()))
                .flatMap(word -> Role.of(word.substring(settings.rolePrefix().length())).stream())
                .forEach(roles::add);
        return roles;
    }

    private static Stream<String> words(@Nullable Object claim) {
        return switch (claim) {
            case String text -> Arrays.stream(text.split(" ", -1));
            case Collection<?> list ->
                list.stream().filter(String.class::isInstance).map(String.class::cast);
            case null, default -> Stream.of();
        };
    }
}
