package io.throughputoptimizer;

import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/// All settings that the service knows of its own, and those of Spring's that its documentation names.
final class KnownSettings {
    private static final int HIGHEST_PORT = 65_535;
    private static final int LEAST_CONNECTION_TIMEOUT_MS = 250;
    private static final int LONGEST_CONNECTION_TIMEOUT_MS = 3_600_000;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int MOST_OPEN = 1_000_000;
    private static final Duration SHORTEST_SILENCE = Duration.ofMillis(100);
    private static final Duration LONGEST_SILENCE = Duration.ofHours(1);

    private static final String HOST = "([^/:,?\\[\\]]*|\\[[^/\\]]*])(:\\d{1,5})?";
    private static final Pattern DATABASE =
            Pattern.compile("jdbc:(h2:.+|postgresql:(//" + HOST + "(," + HOST + ")*(/[^/?]*)?|[^/?]+|/)(\\?.*)?)");

    private KnownSettings() {}

    /// Those below `optimizer`, in the order of their records.
    static List<Setting> own() {
        List<Setting> settings = new ArrayList<>();
        for (Class<?> type : List.of(OptimizerProperties.class, SecurityProperties.class)) {
            String prefix = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class))
                    .value();
            collect(prefix, type, settings);
        }
        return List.copyOf(settings);
    }

    private static void collect(String prefix, Class<?> type, List<Setting> settings) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                collect(name, component.getType(), settings);
            } else {
                settings.add(Setting.of(name, component));
            }
        }
    }

    /// Spring says by itself what is wrong with most of its settings, but not with these.
    static List<Setting> ofSpring() {
        return List.of(
                Setting.of(
                        "server.address",
                        InetAddress.class,
                        "an address of this machine is needed, such as 127.0.0.1, or 0.0.0.0 for all",
                        value -> value instanceof InetAddress address && isOfThisMachine(address)),
                Setting.number("server.port", Bindable.of(Integer.class), 0, HIGHEST_PORT),
                Setting.number("server.tomcat.max-connections", Bindable.of(Integer.class), 1, MOST_OPEN),
                Setting.number("server.tomcat.accept-count", Bindable.of(Integer.class), 1, MOST_OPEN),
                Setting.time("server.tomcat.connection-timeout", SHORTEST_SILENCE, LONGEST_SILENCE),
                Setting.time("server.tomcat.keep-alive-timeout", SHORTEST_SILENCE, LONGEST_SILENCE),
                Setting.of(
                        "spring.datasource.url",
                        String.class,
                        "an address is needed that begins with jdbc:postgresql:// or jdbc:h2:",
                        value -> DATABASE.matcher(value.toString()).matches()),
                Setting.number(
                        "spring.datasource.hikari.connection-timeout",
                        Bindable.of(Long.class),
                        LEAST_CONNECTION_TIMEOUT_MS,
                        LONGEST_CONNECTION_TIMEOUT_MS),
                Setting.number(
                        "spring.datasource.hikari.maximum-pool-size", Bindable.of(Integer.class), 1, MOST_CONNECTIONS));
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException _) {
            return false;
        }
    }
}
