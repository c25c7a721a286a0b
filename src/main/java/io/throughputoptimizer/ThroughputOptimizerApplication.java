package io.throughputoptimizer;

import io.throughputoptimizer.catalog.CatalogReader;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/// Starts the service, makes a training run, or does what `keys` asks. Components are in `web` alone: to look through
/// all packages takes a tenth of the start.
@SpringBootApplication(scanBasePackages = "io.throughputoptimizer.web")
@Import({
    KeysCommand.SettingsConfiguration.class,
    DatabaseConfiguration.class,
    JobConfiguration.class,
    SecurityConfiguration.class,
    ServiceConfiguration.class
})
public class ThroughputOptimizerApplication {
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    /// Threads of the system that run virtual ones, for each processor. A virtual thread keeps its own until it waits
    /// for something; with one a processor, as is usual, a few requests that compute would keep all others waiting,
    /// while of several the system lets each have its turn.
    private static final int CARRIERS_PER_PROCESSOR = 4;

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 0 && arguments[0].equals(KeysCommand.NAME)) {
            List<String> rest = List.of(arguments).subList(1, arguments.length);
            System.exit(new KeysCommand(System.out, System.err).run(rest));
        }
        shareProcessors();
        Thread.ofPlatform().name("catalog").daemon().start(CatalogReader::readBuiltIn);
        if (arguments.length > 0 && arguments[0].equals(Training.NAME)) {
            Training.run();
        } else {
            SpringApplication.run(ThroughputOptimizerApplication.class, arguments);
        }
    }

    /// To be called before the first virtual thread is made.
    private static void shareProcessors() {
        int carriers = CARRIERS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
        System.setProperty(CARRIERS, System.getProperty(CARRIERS, Integer.toString(carriers)));
    }
}
