package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.GatedSearch;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.DynamicPropertyRegistrar;

/// Jobs whose searches end when the test says so.
@TestConfiguration
class GatedSearches {
    @Bean
    @Primary
    GatedSearch gatedSearch() {
        return new GatedSearch();
    }

    /// Searches that wait for the test are not small, whatever they ask.
    @Bean
    DynamicPropertyRegistrar noneIsSmall() {
        return settings -> settings.add("optimizer.jobs.prompt-points", () -> 0);
    }
}
