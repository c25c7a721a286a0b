package io.throughputoptimizer;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.key.KeyRequest;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.job.DatabaseFailure;
import io.throughputoptimizer.security.KeyEntry;
import io.throughputoptimizer.security.KeyRing;
import java.io.PrintStream;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Makes, lists and revokes keys in the database, without the service.
final class KeysCommand {
    static final String NAME = "keys";

    private static final Duration LIFETIME = Duration.ofDays(KeyRequest.DEFAULT_DAYS);
    private static final Duration LONGEST_LIFETIME = Duration.ofDays(KeyRequest.MOST_DAYS);
    private static final String USAGE = """
            keys create NAME [--role ROLE[,ROLE]] [--expires 90d|never]   prints a new key, once
            keys list                                                      all keys, without their secrets
            keys revoke ID|NAME                                            a key, or all keys of a name
            Roles: submit (default: own jobs), read (everybody's jobs), admin (everything). A key expires after 365d by default.
            Settings of the service, such as --spring.datasource.url=..., say where the database is.""";

    private final PrintStream out;
    private final PrintStream notes;

    /// @param out stream for the result
    /// @param notes stream for notes to people
    KeysCommand(PrintStream out, PrintStream notes) {
        this.out = out;
        this.notes = notes;
    }

    /// Only what reaches the database.
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        FlywayAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        JdbcClientAutoConfiguration.class
    })
    @Import(SettingsConfiguration.class)
    static final class Database {}

    /// @return exit code
    int run(List<String> arguments) {
        try {
            List<String> words = new ArrayList<>(
                    arguments.stream().filter(word -> !isSetting(word)).toList());
            Order order = order(words);
            String[] settings =
                    arguments.stream().filter(KeysCommand::isSetting).toArray(String[]::new);
            return give(order, settings);
        } catch (IllegalArgumentException e) {
            notes.println(e.getMessage());
            notes.println(USAGE);
            return 2;
        }
    }

    /// Runs an order on the database, or reports that an embedded database is in use.
    private int give(Order order, String... settings) {
        ConfigurableApplicationContext context;
        try {
            context = database(settings);
        } catch (BeansException e) {
            if (!DatabaseFailure.isIn(e)) {
                throw e;
            }
            notes.println("A service that runs on an embedded database has it for itself: its admins manage keys at"
                    + " /api/v1/keys.");
            return 1;
        }
        try (context) {
            return order.give(new KeyRing(context.getBean(JdbcClient.class), Clock.systemUTC()));
        }
    }

    /// A command on the keys.
    private interface Order {
        int give(KeyRing keys);
    }

    private static boolean isSetting(String word) {
        return word.startsWith("--") && word.indexOf('.') > 0 && word.indexOf('=') > 0;
    }

    private Order order(List<String> words) {
        if (words.isEmpty()) {
            throw new IllegalArgumentException("What about keys?");
        }
        String verb = words.removeFirst();
        return switch (verb) {
            case "create" -> {
                Set<Role> roles = roles(option(words, "--role", Role.SUBMIT.word()));
                Duration lifetime = lifetime(option(words, "--expires", LIFETIME.toDays() + "d"));
                String name = only(words, "the name of its holder");
                yield keys -> create(keys, name, roles, lifetime);
            }
            case "list" -> {
                if (!words.isEmpty()) {
                    throw new IllegalArgumentException("not understood: " + words);
                }
                yield this::list;
            }
            case "revoke" -> {
                String what = only(words, "an id or a name");
                yield keys -> revoke(keys, what);
            }
            default -> throw new IllegalArgumentException("not understood: " + verb);
        };
    }

    private static String only(List<String> words, String what) {
        if (words.size() != 1 || words.getFirst().startsWith("-")) {
            throw new IllegalArgumentException(what + " is needed, and nothing else: got " + words);
        }
        return words.getFirst();
    }

    private static String option(List<String> words, String option, String otherwise) {
        int place = words.indexOf(option);
        if (place < 0) {
            return otherwise;
        }
        if (place + 1 == words.size()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        words.remove(place);
        return words.remove(place);
    }

    private static Set<Role> roles(String words) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        for (String word : words.split(",", -1)) {
            roles.add(Role.of(word.strip())
                    .orElseThrow(() -> new IllegalArgumentException("the role is \"" + word + "\": one of "
                            + Role.words(Arrays.asList(Role.values())) + " is needed")));
        }
        return roles;
    }

    private static @Nullable Duration lifetime(String text) {
        if (text.equals("never")) {
            return null;
        }
        try {
            Duration lifetime = DurationStyle.detectAndParse(text);
            if (lifetime.isPositive() && lifetime.compareTo(LONGEST_LIFETIME) <= 0) {
                return lifetime;
            }
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException _) {
            // Refused below, as a time out of range is.
        }
        throw new IllegalArgumentException(
                "--expires is \"" + text + "\": a time such as 12h or 90d, or never, is needed");
    }

    private static ConfigurableApplicationContext database(String... settings) {
        return new SpringApplicationBuilder(Database.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(Map.of("logging.level.root", "warn"))
                .run(settings);
    }

    private int create(KeyRing keys, String name, Set<Role> roles, @Nullable Duration lifetime) {
        KeyRing.Created created = keys.create(name, roles, lifetime);
        notes.println(line(created.entry(), created.entry().createdAt()));
        notes.println("This is the key. It is shown once:");
        out.println(created.key().reveal());
        return 0;
    }

    private int list(KeyRing keys) {
        Instant now = Instant.now();
        keys.list().forEach(entry -> out.println(line(entry, now)));
        return 0;
    }

    private int revoke(KeyRing keys, String what) {
        List<String> revoked = keys.revoke(what);
        if (revoked.isEmpty()) {
            notes.println("no key of this id or name is valid: " + what);
            return 1;
        }
        revoked.forEach(id -> out.println("revoked " + id));
        return 0;
    }

    private static String line(KeyEntry entry, Instant now) {
        String end = entry.revokedAt() != null
                ? "revoked at " + entry.revokedAt()
                : entry.expiresAt() == null ? "does not expire" : "expires at " + entry.expiresAt();
        return "%s  %-8s %-20s %-24s made at %s, %s"
                .formatted(
                        entry.id(),
                        WireFormat.name(entry.state(now)),
                        entry.name(),
                        Role.words(entry.roles()),
                        entry.createdAt(),
                        end);
    }

    /// Settings, bound and validated by Spring Boot.
    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(OptimizerProperties.class)
    static class SettingsConfiguration {

        /// Opens the database after the settings are validated.
        @Bean
        static BeanFactoryPostProcessor databaseAfterSettings() {
            return new AbstractDependsOnBeanFactoryPostProcessor(DataSource.class, OptimizerProperties.class) {};
        }

        @Bean
        static ConfigurationPropertiesBindHandlerAdvisor unknownVariables() {
            return UnknownVariables::new;
        }

        @Bean
        SecurityProperties securityProperties(OptimizerProperties settings) {
            return settings.security();
        }
    }
}
