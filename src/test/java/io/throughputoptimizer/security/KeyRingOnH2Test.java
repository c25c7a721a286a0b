package io.throughputoptimizer.security;

import io.throughputoptimizer.fixture.TestDatabase;

class KeyRingOnH2Test extends KeyRingContract {
    KeyRingOnH2Test() {
        super(TestDatabase.H2);
    }
}
