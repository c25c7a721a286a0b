package io.throughputoptimizer.job;

import io.throughputoptimizer.fixture.TestDatabase;

class JobStoreOnH2Test extends JobStoreContract {
    JobStoreOnH2Test() {
        super(TestDatabase.H2);
    }
}
