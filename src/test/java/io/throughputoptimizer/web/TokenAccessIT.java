package io.throughputoptimizer.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.not;

import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

/// JSON Web Tokens of an issuer, beside keys.
@EveryNight
class TokenAccessIT extends SecuredTest {
    private static final RSAKey STRANGERS_KEY = rsaKey("issuer");

    private static JWTClaimsSet.Builder claims(String subject, Object scope) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject(subject)
                .claim("scope", scope)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    private static String token(String subject, Object scope) {
        return token(ISSUERS_KEY, claims(subject, scope).build());
    }

    @Test
    void scopesAreRoles() {
        as(token("ann", "openid optimizer:read")).get("/api/v1/models").then().statusCode(200);
        as(token("ann", List.of("optimizer:read"))).get("/api/v1/models").then().statusCode(200);
        as(token("ann", "optimizer:admin")).get("/actuator/prometheus").then().statusCode(200);
        jsonAs(token("ann", "optimizer:read"), PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(403);
        as(token("ann", "read submit admin")).get("/api/v1/models").then().statusCode(403);
    }

    @Test
    void aSubjectHasItsOwnJobsAndIsNoKeyOfThatName() {
        String name = freshName();
        String id = jsonAs(token(name, "optimizer:submit"), PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(202)
                .extract()
                .path("id");

        as(token(name, "optimizer:submit")).get(OPTIMIZATIONS).then().body("optimizations.id", hasItem(id));
        as(key(name, Role.SUBMIT)).get(OPTIMIZATIONS).then().body("optimizations.id", not(hasItem(id)));
    }

    @Test
    void tokensOfOthersAreRefused() {
        refused(token(STRANGERS_KEY, claims("ann", "optimizer:admin").build()));
        refused(token(
                ISSUERS_KEY,
                claims("ann", "optimizer:admin").issuer("https://other.example").build()));
        refused(token(
                ISSUERS_KEY, claims("ann", "optimizer:admin").audience("other").build()));
        refused(token(
                ISSUERS_KEY,
                claims("ann", "optimizer:admin")
                        .expirationTime(Date.from(Instant.now().minusSeconds(120)))
                        .build()));
        refused(token(ISSUERS_KEY, claims("", "optimizer:admin").build()));
        refused(token(ISSUERS_KEY, claims("a\u0000b", "optimizer:admin").build()));
        refused(token(ISSUERS_KEY, claims("a".repeat(256), "optimizer:admin").build()));
    }

    @Test
    void tokensThatNeverExpireAreRefused() {
        refused(token(
                        ISSUERS_KEY,
                        claims("ann", "optimizer:admin").expirationTime(null).build()))
                .header("WWW-Authenticate", containsString("error=\"invalid_token\""))
                .body("detail", equalTo("The token needs an expiry time (exp)."));
    }

    private ValidatableResponse refused(String token) {
        return as(token)
                .get("/api/v1/models")
                .then()
                .statusCode(401)
                .contentType("application/problem+json")
                .body("type", equalTo("/problems/invalid-key"));
    }
}
