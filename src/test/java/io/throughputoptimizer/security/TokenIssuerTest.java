package io.throughputoptimizer.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.RSAKey;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.StubIssuer;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/// An issuer of which only the URL is known: where its keys are, it says itself.
class TokenIssuerTest {
    private static final RSAKey KEY = StubIssuer.rsaKey("first");
    private final StubIssuer stub = new StubIssuer();
    private final TokenIssuer issuer = reader(stub);

    TokenIssuerTest() throws IOException {}

    @AfterEach
    void stop() {
        stub.close();
    }

    /// What reads the tokens of an issuer of which only the URL is known.
    static TokenIssuer reader(StubIssuer stub) {
        return new TokenIssuer(new TokenIssuer.Settings(stub.url(), null, StubIssuer.AUDIENCE, "scope", "optimizer:"));
    }

    private String token(RSAKey signer) {
        return StubIssuer.token(signer, stub.claims().build());
    }

    @Test
    void theIssuerSaysWhereItsKeysAre() {
        stub.publish(stub.url(), KEY);

        Caller caller = issuer.caller(token(KEY));

        assertThat(caller.owner()).isEqualTo("jwt:ann");
        assertThat(caller.roles()).contains(Role.SUBMIT).doesNotContain(Role.ADMIN);
    }

    @Test
    void tokensOfOthersAreRefused() {
        stub.publish(stub.url(), KEY);

        refused(token(StubIssuer.rsaKey("first")));
        refused(token(StubIssuer.rsaKey("unknown")));
        refused(StubIssuer.token(
                KEY, stub.claims().issuer(stub.url() + "/other").build()));
        refused(StubIssuer.token(KEY, stub.claims().audience("other").build()));
        refused(StubIssuer.token(
                KEY,
                stub.claims()
                        .expirationTime(Date.from(Instant.now().minusSeconds(120)))
                        .build()));
    }

    @Test
    void anIssuerThatIsAwayIsAskedAgain() {
        String token = token(KEY);
        assertThatThrownBy(() -> issuer.caller(token)).isInstanceOf(AuthenticationServiceException.class);

        stub.publish(stub.url(), KEY);

        assertThat(issuer.caller(token).name()).isEqualTo("ann");
    }

    @Test
    void anIssuerThatSaysItIsAnotherIsNotBelieved() {
        stub.publish(stub.url() + "/other", KEY);

        assertThatThrownBy(() -> issuer.caller(token(KEY))).isInstanceOf(AuthenticationServiceException.class);
    }

    @Test
    void aNewKeyOfTheIssuerIsFound() {
        stub.publish(stub.url(), KEY);
        issuer.caller(token(KEY));
        RSAKey next = StubIssuer.rsaKey("next");

        stub.publish(stub.url(), next);

        assertThat(issuer.caller(token(next)).name()).isEqualTo("ann");
    }

    private void refused(String token) {
        assertThatThrownBy(() -> issuer.caller(token)).isInstanceOf(InvalidBearerTokenException.class);
    }
}
