package io.throughputoptimizer.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.throughputoptimizer.fixture.StubIssuer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/// Tokens that no issuer made, or not for this service, or not for now; and what an issuer is asked because of them.
class ForgedTokenTest {
    /// What an issuer may be asked in a moment, whatever callers send: its description, and its keys.
    private static final int FEW = 12;

    private static final RSAKey KEY = StubIssuer.rsaKey("first");
    private static final RSAKey STRANGERS = StubIssuer.rsaKey("first");
    private final StubIssuer stub = new StubIssuer();
    private final StubIssuer elsewhere = new StubIssuer();
    private final TokenIssuer issuer = TokenIssuerTest.reader(stub);

    ForgedTokenTest() throws IOException {}

    @BeforeEach
    void publish() {
        stub.publish(stub.url(), KEY);
        elsewhere.publish(elsewhere.url(), STRANGERS);
        assertThat(issuer.caller(StubIssuer.token(KEY, claims())).name()).isEqualTo("ann");
    }

    @AfterEach
    void stop() {
        stub.close();
        elsewhere.close();
    }

    private JWTClaimsSet claims() {
        return stub.claims().build();
    }

    private void refused(String what, String token) {
        assertThatThrownBy(() -> issuer.caller(token)).as(what).isInstanceOf(InvalidBearerTokenException.class);
    }

    @Test
    void whatNobodySignedIsRefused() {
        refused("none", new PlainJWT(claims()).serialize());
        for (String algorithm :
                List.of("none", "None", "NONE", "nOnE", "", "RS256\\u0000", "HS256", "RS256", "nonsense")) {
            String header = "{\"alg\": \"" + algorithm + "\", \"kid\": \"first\"}";
            String unsigned = base64(header) + "." + base64(claims().toString()) + ".";
            refused(algorithm, unsigned);
            refused(algorithm, unsigned + base64(""));
            refused(algorithm, unsigned + base64("signature"));
        }
        String[] parts = StubIssuer.token(KEY, claims()).split("\\.", -1);
        refused("no signature", parts[0] + "." + parts[1] + ".");
        refused("two parts", parts[0] + "." + parts[1]);
        refused(
                "other claims",
                parts[0] + "." + base64(stub.claims().subject("bob").build().toString()) + "." + parts[2]);
        refused(
                "zeros",
                parts[0] + "." + parts[1] + "."
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[256]));
    }

    /// The public key is no secret, and no password of a hash either.
    @Test
    void anotherFamilyOfAlgorithmsIsRefused() throws JOSEException {
        byte[] der = KEY.toRSAPublicKey().getEncoded();
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END PUBLIC KEY-----\n";
        Map<String, byte[]> secrets = new LinkedHashMap<>();
        secrets.put("DER", der);
        secrets.put("PEM", pem.getBytes(StandardCharsets.UTF_8));
        secrets.put("PEM without its last line end", pem.strip().getBytes(StandardCharsets.UTF_8));
        secrets.put("modulus", KEY.getModulus().decode());
        secrets.put("JWK", KEY.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8));
        secrets.put("its id", "first".repeat(20).getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, byte[]> secret : secrets.entrySet()) {
            for (JWSAlgorithm algorithm : List.of(JWSAlgorithm.HS256, JWSAlgorithm.HS384, JWSAlgorithm.HS512)) {
                SignedJWT token = new SignedJWT(
                        new JWSHeader.Builder(algorithm).keyID("first").build(), claims());
                token.sign(new MACSigner(secret.getValue()));
                refused(algorithm + " with the public key as " + secret.getKey(), token.serialize());
            }
        }
        SignedJWT curve = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("first").build(), claims());
        curve.sign(
                new ECDSASigner(new ECKeyGenerator(Curve.P_256).keyID("first").generate()));
        refused("another curve", curve.serialize());
    }

    /// A token that says itself where its key is, or by which words it is found.
    @Test
    void theHeaderLeadsToNoOtherKey() {
        for (String id : List.of(
                "first",
                "",
                "../../../../dev/null",
                "/etc/passwd",
                "file:///dev/null",
                elsewhere.url() + "/jwks",
                "first' OR '1'='1",
                "' UNION SELECT 'x' --",
                "first\u0000",
                "first\r\nHost: evil.example",
                "${jndi:ldap://127.0.0.1/x}",
                "$(id)",
                "*",
                "k".repeat(5_000))) {
            JWSHeader.Builder header = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(id);
            refused("kid " + id, StubIssuer.token(STRANGERS, header.build(), claims()));
            refused(
                    "jwk " + id,
                    StubIssuer.token(
                            STRANGERS, header.jwk(STRANGERS.toPublicJWK()).build(), claims()));
            refused(
                    "jku " + id,
                    StubIssuer.token(
                            STRANGERS,
                            new JWSHeader.Builder(JWSAlgorithm.RS256)
                                    .keyID(id)
                                    .jwkURL(URI.create(elsewhere.url() + "/jwks"))
                                    .x509CertURL(URI.create(elsewhere.url() + "/jwks"))
                                    .build(),
                            claims()));
        }
        assertThat(elsewhere.asked()).isEmpty();
    }

    @Test
    void aTokenOfTheIssuerForAnotherServiceOrTimeIsRefused() {
        Instant now = Instant.now();
        Map<String, JWTClaimsSet.Builder> others = new LinkedHashMap<>();
        others.put("another audience", stub.claims().audience("other"));
        others.put("audiences but not this one", stub.claims().audience(List.of("other", "PLANNER", "planner ")));
        others.put("no audience", stub.claims().audience((String) null));
        others.put("another issuer", stub.claims().issuer(elsewhere.url()));
        others.put("a longer issuer", stub.claims().issuer(stub.url() + "/"));
        others.put("a longer host", stub.claims().issuer(stub.url().replace("/realm", ".evil.example/realm")));
        others.put("no issuer", stub.claims().issuer(null));
        others.put("expired", stub.claims().expirationTime(Date.from(now.minusSeconds(120))));
        others.put("expired for ever", stub.claims().expirationTime(Date.from(Instant.EPOCH)));
        others.put("expiring in words", stub.claims().claim("exp", "never"));
        others.put("not yet", stub.claims().notBeforeTime(Date.from(now.plusSeconds(600))));
        others.put("nobody's", stub.claims().subject(null));
        others.put("a subject that colours", stub.claims().subject("\u001b[31mann"));
        others.put("a subject of two lines", stub.claims().subject("ann\u2028INFO admin made a key"));
        others.put("a subject backwards", stub.claims().subject("ann\u202enimda"));
        others.forEach((what, claims) -> refused(what, StubIssuer.token(KEY, claims.build())));
    }

    @Test
    void refusesTokensThatNeverExpire() {
        assertThatThrownBy(() -> issuer.caller(
                        StubIssuer.token(KEY, stub.claims().expirationTime(null).build())))
                .isInstanceOf(InvalidBearerTokenException.class)
                .hasMessage("The token needs an expiry time (exp).");
    }

    @Test
    void headersThatAreNotUnderstoodAreRefused() {
        refused(
                "critical",
                StubIssuer.token(
                        KEY,
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("first")
                                .criticalParams(Set.of("evil"))
                                .customParam("evil", true)
                                .build(),
                        claims()));
        refused(
                "another type",
                StubIssuer.token(
                        KEY,
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("first")
                                .type(new JOSEObjectType("secevent+jwt"))
                                .build(),
                        claims()));
        refused("claims that are no object", base64("{\"alg\": \"RS256\"}") + "." + base64("[]") + ".AA");
        refused("deep", base64("[".repeat(5_000)) + "." + base64("{}") + ".AA");
    }

    @Test
    void unknownKeysDoNotEachAskTheIssuer() {
        int before = stub.asked().size();
        Instant begun = Instant.now();
        for (int number = 0; number < 200; number++) {
            JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.RS256)
                    .keyID("unknown-" + number)
                    .build();
            refused("unknown", StubIssuer.token(STRANGERS, header, claims()));
        }

        long periods = 1 + Duration.between(begun, Instant.now()).dividedBy(IssuerClient.PERIOD);
        assertThat((long) stub.asked().size() - before).isLessThan(FEW * periods);
        assertThat(issuer.caller(StubIssuer.token(KEY, claims())).name()).isEqualTo("ann");
    }

    @Test
    void anIssuerThatIsAwayIsNotAskedByEachToken() throws IOException {
        try (StubIssuer away = new StubIssuer()) {
            TokenIssuer reader = TokenIssuerTest.reader(away);
            String token = StubIssuer.token(STRANGERS, away.claims().build());
            Instant begun = Instant.now();
            for (int number = 0; number < 200; number++) {
                assertThatThrownBy(() -> reader.caller(token)).isInstanceOf(AuthenticationServiceException.class);
                assertThatThrownBy(() -> reader.caller("nonsense")).isInstanceOf(AuthenticationException.class);
            }

            // On a busy machine it takes so long that the issuer may be asked again.
            long periods = 1 + Duration.between(begun, Instant.now()).dividedBy(IssuerClient.PERIOD);
            assertThat((long) away.asked().size()).isLessThan(FEW * periods);
        }
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
