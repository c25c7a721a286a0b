package io.throughputoptimizer.job;

import io.throughputoptimizer.fixture.TestDatabase;

class SharedQueueOnPostgresIT extends SharedQueueContract {
    SharedQueueOnPostgresIT() {
        super(TestDatabase.POSTGRESQL);
    }
}
