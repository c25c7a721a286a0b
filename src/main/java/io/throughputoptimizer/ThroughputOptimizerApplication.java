package io.throughputoptimizer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// Starts the service.
@SpringBootApplication
public class ThroughputOptimizerApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ThroughputOptimizerApplication.class, arguments);
    }
}
