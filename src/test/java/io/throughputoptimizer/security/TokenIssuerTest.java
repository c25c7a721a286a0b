package io.throughputoptimizer.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.throughputoptimizer.api.key.Role;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/// An issuer of which only the URL is known: where its keys are, it says itself.
class TokenIssuerTest {
    private static final String AUDIENCE = "planner";
    private static final String DISCOVERY = "/realm/.well-known/openid-configuration";

    private final RSAKey key = rsaKey("first");
    private final Map<String, String> documents = new ConcurrentHashMap<>();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/realm";
    private final TokenIssuer issuer =
            new TokenIssuer(new TokenIssuer.Settings(url, null, AUDIENCE, "scope", "optimizer:"));

    TokenIssuerTest() throws IOException {
        server.createContext("/", exchange -> {
            String document = documents.get(exchange.getRequestURI().getPath());
            byte[] body = (document == null ? "" : document).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(document == null ? 404 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void theIssuerSaysWhereItsKeysAre() {
        publish(url, key);

        Caller caller = issuer.caller(token(key, url, AUDIENCE, Instant.now().plusSeconds(60)));

        assertThat(caller.owner()).isEqualTo("jwt:ann");
        assertThat(caller.roles()).contains(Role.SUBMIT).doesNotContain(Role.ADMIN);
    }

    @Test
    void tokensOfOthersAreRefused() {
        publish(url, key);
        Instant later = Instant.now().plusSeconds(60);

        refused(token(rsaKey("first"), url, AUDIENCE, later));
        refused(token(rsaKey("unknown"), url, AUDIENCE, later));
        refused(token(key, url + "/other", AUDIENCE, later));
        refused(token(key, url, "other", later));
        refused(token(key, url, AUDIENCE, Instant.now().minusSeconds(120)));
    }

    @Test
    void anIssuerThatIsAwayIsAskedAgain() {
        String token = token(key, url, AUDIENCE, Instant.now().plusSeconds(60));
        assertThatThrownBy(() -> issuer.caller(token)).isInstanceOf(AuthenticationServiceException.class);

        publish(url, key);

        assertThat(issuer.caller(token).name()).isEqualTo("ann");
    }

    @Test
    void anIssuerThatSaysItIsAnotherIsNotBelieved() {
        publish(url + "/other", key);

        assertThatThrownBy(() ->
                        issuer.caller(token(key, url, AUDIENCE, Instant.now().plusSeconds(60))))
                .isInstanceOf(AuthenticationServiceException.class);
    }

    @Test
    void aNewKeyOfTheIssuerIsFound() {
        publish(url, key);
        Instant later = Instant.now().plusSeconds(60);
        issuer.caller(token(key, url, AUDIENCE, later));
        RSAKey next = rsaKey("next");

        publish(url, next);

        assertThat(issuer.caller(token(next, url, AUDIENCE, later)).name()).isEqualTo("ann");
    }

    private void refused(String token) {
        assertThatThrownBy(() -> issuer.caller(token)).isInstanceOf(InvalidBearerTokenException.class);
    }

    private void publish(String name, RSAKey published) {
        documents.put(DISCOVERY, """
                {"issuer": "%s", "jwks_uri": "%s/jwks", "subject_types_supported": ["public"],
                 "response_types_supported": ["code"], "id_token_signing_alg_values_supported": ["RS256"]}""".formatted(name, url));
        documents.put("/realm/jwks", new JWKSet(published.toPublicJWK()).toString());
    }

    private static RSAKey rsaKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String token(RSAKey signer, String issuer, String audience, Instant expiry) {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(signer.getKeyID())
                        .build(),
                new JWTClaimsSet.Builder()
                        .issuer(issuer)
                        .audience(audience)
                        .subject("ann")
                        .claim("scope", "openid optimizer:submit")
                        .expirationTime(Date.from(expiry))
                        .build());
        try {
            token.sign(new RSASSASigner(signer));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }
}
