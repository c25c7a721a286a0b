package io.throughputoptimizer;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// Starts the service, or does what `keys` asks.
@SpringBootApplication
public class ThroughputOptimizerApplication {
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    /// Threads of the system that run virtual ones, for each processor. A virtual thread keeps its own until it waits
    /// for something; with one a processor, as is usual, a few requests that compute would keep all others waiting,
    /// while of several the system lets each have its turn.
    private static final int CARRIERS_PER_PROCESSOR = 4;

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(KeysCommand.NAME)) {
            List<String> rest = List.of(arguments).subList(1, arguments.length);
            System.exit(new KeysCommand(System.out, System.err).run(rest));
        }
        shareProcessors();
        SpringApplication.run(ThroughputOptimizerApplication.class, arguments);
    }

    /// To be called before the first virtual thread is made.
    private static void shareProcessors() {
        int carriers = CARRIERS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
        System.setProperty(CARRIERS, System.getProperty(CARRIERS, Integer.toString(carriers)));
    }
}
