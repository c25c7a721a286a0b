package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.GatedSearch;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.TestPropertySource;

/// Jobs whose searches end when the test says so, in the queue all of them: a search that waits for the test is not
/// small, whatever it asks.
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Import(GatedSearches.Gate.class)
@TestPropertySource(properties = "optimizer.jobs.prompt-time=0s")
@interface GatedSearches {

    @TestConfiguration
    class Gate {
        @Bean
        @Primary
        GatedSearch gatedSearch() {
            return new GatedSearch();
        }
    }
}
