package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.GatedSearch;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/// Jobs whose searches end when the test says so.
@TestConfiguration
class GatedSearches {
    @Bean
    @Primary
    GatedSearch gatedSearch() {
        return new GatedSearch();
    }
}
