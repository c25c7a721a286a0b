package io.throughputoptimizer.security;

import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/// Authenticates bearer tokens: API keys, or tokens of an issuer.
final class TokenAuthentication implements AuthenticationManager {
    private final KeyRing keys;
    private final @Nullable TokenIssuer issuer;

    /// @param issuer issuer of tokens; null to accept only keys
    TokenAuthentication(KeyRing keys, @Nullable TokenIssuer issuer) {
        this.keys = keys;
        this.issuer = issuer;
    }

    @Override
    public Authentication authenticate(Authentication bearer) {
        String token = ((BearerTokenAuthenticationToken) bearer).getToken();
        Caller caller = caller(token);
        Permit permit = () -> isStill(caller, token);
        Collection<SimpleGrantedAuthority> authorities = caller.roles().stream()
                .map(role -> new SimpleGrantedAuthority(role.word()))
                .toList();
        return new PreAuthenticatedAuthenticationToken(caller, permit, authorities);
    }

    private boolean isStill(Caller caller, String token) {
        try {
            return caller(token).equals(caller);
        } catch (AuthenticationServiceException _) {
            return true;
        } catch (AuthenticationException _) {
            return false;
        }
    }

    private Caller caller(String token) {
        Optional<ApiKey> key = ApiKey.parse(ApiKey.Kind.CALLER, token);
        try {
            if (key.isPresent()) {
                return keys.holder(key.get());
            }
        } catch (DataAccessException e) {
            throw new AuthenticationServiceException("the database does not say whose key this is", e);
        }
        if (issuer == null) {
            throw new InvalidBearerTokenException("This is no key of this service.");
        }
        return issuer.caller(token);
    }
}
