package io.throughputoptimizer.job;

import io.throughputoptimizer.fixture.TestDatabase;

class JobStoreOnPostgresIT extends JobStoreContract {
    JobStoreOnPostgresIT() {
        super(TestDatabase.POSTGRESQL);
    }
}
