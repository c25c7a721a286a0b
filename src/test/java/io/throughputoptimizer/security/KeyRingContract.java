package io.throughputoptimizer.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.api.key.KeyResponse.KeyState;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.ManualClock;
import io.throughputoptimizer.fixture.TestDatabase;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/// The life of a key, on each database.
abstract class KeyRingContract {
    private final ManualClock clock = new ManualClock();
    private final HikariDataSource database;
    private final KeyRing keys;

    KeyRingContract(TestDatabase kind) {
        database = kind.newMigrated();
        keys = new KeyRing(JdbcClient.create(database), clock);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private KeyRing.Created create(String name, Role first, Role... others) {
        return keys.create(name, EnumSet.of(first, others), Duration.ofDays(90));
    }

    @Test
    void aKeyIsItsHoldersUntilItExpires() {
        assertThat(keys.hasKeys()).isFalse();
        KeyRing.Created created = create("ann", Role.READ, Role.SUBMIT);

        assertThat(keys.hasKeys()).isTrue();
        assertThat(keys.list()).containsExactly(created.entry());
        assertThat(keys.holder(created.key())).isEqualTo(Caller.ofKey("ann", EnumSet.of(Role.READ, Role.SUBMIT)));
        clock.advance(Duration.ofDays(90));
        assertThatThrownBy(() -> keys.holder(created.key()))
                .isInstanceOf(InvalidBearerTokenException.class)
                .hasMessageContaining("expired");
        assertThat(keys.list().getFirst().state(clock.instant())).isEqualTo(KeyState.EXPIRED);
    }

    @Test
    void anIdRevokesOneKeyAndANameAllOfIt() {
        KeyRing.Created first = create("ann", Role.SUBMIT);
        KeyRing.Created second = create("ann", Role.SUBMIT);
        KeyRing.Created third = create("ann", Role.SUBMIT);
        KeyRing.Created other = create(second.entry().id(), Role.ADMIN);

        assertThat(keys.revoke(second.entry().id()))
                .containsExactly(second.entry().id());
        assertThat(keys.holder(other.key()).name()).isEqualTo(second.entry().id());
        assertThat(keys.revoke("ann"))
                .containsExactlyInAnyOrder(first.entry().id(), third.entry().id());
        assertThat(keys.revoke("ann")).isEmpty();
        assertThat(keys.revoke("nobody")).isEmpty();
        assertThatThrownBy(() -> keys.holder(first.key()))
                .isInstanceOf(InvalidBearerTokenException.class)
                .hasMessageContaining("revoked");
        assertThat(keys.holder(other.key()).roles()).containsExactlyInAnyOrder(Role.values());
    }

    @Test
    void anotherReplicaKnowsTheSameKeys() {
        KeyRing replica = new KeyRing(JdbcClient.create(database), clock);
        KeyRing.Created created = create("ann", Role.SUBMIT);
        keys.revoke(created.entry().id());

        assertThat(replica.list().getFirst().state(clock.instant())).isEqualTo(KeyState.REVOKED);
        assertThatThrownBy(() -> replica.holder(created.key())).isInstanceOf(InvalidBearerTokenException.class);
    }
}
