package io.throughputoptimizer.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.TestDatabase;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;

/// What callers are told when it is not known who they are.
class RefusalsTest {
    private static final String URL = "jdbc:h2:mem:refusals;DB_CLOSE_DELAY=-1";

    @Test
    void withoutTheDatabaseNobodyIsTurnedAwayForGood() throws Exception {
        HikariDataSource database = TestDatabase.connect(URL);
        TestDatabase.H2.migration(database, "latest").migrate();
        KeyRing keys = new KeyRing(JdbcClient.create(database), Clock.systemUTC());
        TokenAuthentication tokens = new TokenAuthentication(keys, null);
        String recent = keys.create("ann", EnumSet.of(Role.READ), null).key().reveal();
        String other = keys.create("bob", EnumSet.of(Role.READ), null).key().reveal();
        assertThat(tokens.authenticate(bearer(recent)).isAuthenticated()).isTrue();
        database.close();

        assertThat(tokens.authenticate(bearer(recent)).isAuthenticated()).isTrue();
        AuthenticationServiceException failure =
                catchThrowableOfType(AuthenticationServiceException.class, () -> tokens.authenticate(bearer(other)));
        MockHttpServletResponse response = new MockHttpServletResponse();
        new Refusals().commence(new MockHttpServletRequest(), response, failure);

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("5");
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
        assertThat(response.getContentAsString()).contains("/problems/callers-unknown");
    }

    @Test
    void withoutAnIssuerATokenIsNone() {
        TokenAuthentication tokens = new TokenAuthentication(
                new KeyRing(JdbcClient.create(new HikariDataSource()), Clock.systemUTC()), null);

        assertThatThrownBy(() -> tokens.authenticate(bearer("a.b.c"))).isInstanceOf(InvalidBearerTokenException.class);
    }

    @Test
    void aDigestMatchesItsSecretOnly() {
        SecureRandom random = new SecureRandom();
        ApiKey key = ApiKey.make(ApiKey.Kind.CALLER, random);
        KeyDigest digest = KeyDigest.of(key, random);

        assertThat(digest.matches(key)).isTrue();
        assertThat(digest.matches(ApiKey.parse(ApiKey.Kind.CALLER, key.reveal()).orElseThrow()))
                .isTrue();
        assertThat(digest.matches(ApiKey.make(ApiKey.Kind.CALLER, random))).isFalse();
        assertThat(KeyDigest.of(key, random)).isNotEqualTo(digest);
        assertThat(key).asString().doesNotContain(key.secret());
    }

    private static Authentication bearer(String token) {
        return new BearerTokenAuthenticationToken(token);
    }
}
