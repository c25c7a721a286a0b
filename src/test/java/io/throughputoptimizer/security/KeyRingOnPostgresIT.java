package io.throughputoptimizer.security;

import io.throughputoptimizer.fixture.TestDatabase;

class KeyRingOnPostgresIT extends KeyRingContract {
    KeyRingOnPostgresIT() {
        super(TestDatabase.POSTGRESQL);
    }
}
