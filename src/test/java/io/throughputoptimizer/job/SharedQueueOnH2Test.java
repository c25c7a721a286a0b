package io.throughputoptimizer.job;

import io.throughputoptimizer.fixture.TestDatabase;

class SharedQueueOnH2Test extends SharedQueueContract {
    SharedQueueOnH2Test() {
        super(TestDatabase.H2);
    }
}
