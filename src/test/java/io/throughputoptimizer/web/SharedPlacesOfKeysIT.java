package io.throughputoptimizer.web;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.security.KeyRing;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// Where callers have keys, their holders share, from whichever address they call: here from one. The issuer is never
/// asked; it is there for the service to ask for keys.
@TestPropertySource(properties = "optimizer.security.jwt.issuer=https://issuer.example")
@EveryNight
class SharedPlacesOfKeysIT extends SharedPlacesContract {
    @Autowired
    private KeyRing keys;

    @Override
    Someone newcomer() {
        String key = keys.create("holder-" + UUID.randomUUID(), EnumSet.of(Role.SUBMIT, Role.READ), Duration.ofDays(1))
                .key()
                .reveal();
        return Someone.of("127.0.0.1", Map.of("Authorization", "Bearer " + key));
    }
}
