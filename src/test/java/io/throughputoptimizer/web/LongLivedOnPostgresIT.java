package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.TestDatabase;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@DirtiesContext
@EveryNight
class LongLivedOnPostgresIT extends LongLivedContract {

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry settings) {
        settings.add("spring.datasource.url", TestDatabase.POSTGRESQL::newUrl);
    }
}
