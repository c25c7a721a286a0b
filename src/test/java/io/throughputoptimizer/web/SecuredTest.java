package io.throughputoptimizer.web;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.LocalServer;
import io.throughputoptimizer.security.KeyRing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/// A service that asks for keys, and takes the tokens of an issuer that runs beside it.
abstract class SecuredTest extends HttpTest {
    static final String ISSUER = "https://issuer.example";
    static final String AUDIENCE = "planner";
    static final RSAKey ISSUERS_KEY = rsaKey("issuer");

    private static final HttpServer JWK_SET = LocalServer.start("/jwks", SecuredTest::answer);
    private static final AtomicInteger NAMES = new AtomicInteger();

    @Autowired
    private KeyRing keys;

    @DynamicPropertySource
    static void issuer(DynamicPropertyRegistry settings) {
        settings.add("optimizer.security.jwt.issuer", () -> ISSUER);
        settings.add("optimizer.security.jwt.jwk-set", () -> LocalServer.url(JWK_SET) + "/jwks");
        settings.add("optimizer.security.jwt.audience", () -> AUDIENCE);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        byte[] body = new JWKSet(ISSUERS_KEY.toPublicJWK()).toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    static RSAKey rsaKey(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static String token(RSAKey signer, JWTClaimsSet claims) {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID(signer.getKeyID())
                        .build(),
                claims);
        try {
            token.sign(new RSASSASigner(signer));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    KeyRing keys() {
        return keys;
    }

    /// A name that no other test uses.
    static String freshName() {
        return "holder-" + NAMES.incrementAndGet();
    }

    String key(Role first, Role... others) {
        return key(freshName(), first, others);
    }

    String key(String name, Role first, Role... others) {
        return keys.create(name, EnumSet.of(first, others), Duration.ofDays(1))
                .key()
                .reveal();
    }

    RequestSpecification as(String token) {
        return api().header("Authorization", "Bearer " + token);
    }

    RequestSpecification jsonAs(String token, String body) {
        return as(token).contentType(ContentType.JSON).body(body);
    }
}
