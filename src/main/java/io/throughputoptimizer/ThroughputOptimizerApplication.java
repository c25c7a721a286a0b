package io.throughputoptimizer;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/// Starts the service, or does what `keys` asks.
@SpringBootApplication
public class ThroughputOptimizerApplication {

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(KeysCommand.NAME)) {
            List<String> rest = List.of(arguments).subList(1, arguments.length);
            System.exit(new KeysCommand(System.out, System.err).run(rest));
        }
        SpringApplication.run(ThroughputOptimizerApplication.class, arguments);
    }
}
