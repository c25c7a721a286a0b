package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.wire.PerDevice;
import io.throughputoptimizer.catalog.Catalogs.DeviceCatalog;
import io.throughputoptimizer.catalog.DeviceDocument;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Names of the catalog for names of devices that others use: lower case as `h200_sxm`, without the form factor as
/// `H100`, and in `devices` of a search with a count as `8xH100`.
public final class DeviceNames {
    private static final Pattern WITH_COUNT = Pattern.compile("([1-9][0-9]{0,5}) ?[xX] ?(.+)");
    private static final Set<String> LISTS = Set.of("devices", "prefillDevices", "decodeDevices");
    private static final String DEVICE = "device";

    /// True for records that can name devices, in their components or parts.
    private static final ClassValue<Boolean> NAMING = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return WireMember.components(type).stream()
                    .anyMatch(member -> member.component().equals(DEVICE)
                            || LISTS.contains(member.component())
                            || canName(member.source().getGenericType()));
        }

        private boolean canName(Type type) {
            return switch (type) {
                case ParameterizedType generic ->
                    generic.getRawType() != List.class || canName(generic.getActualTypeArguments()[0]);
                case Class<?> known when known.isRecord() -> get(known);
                case Class<?> known -> known.isInterface() || known == Object.class;
                default -> true;
            };
        }
    };

    private final DeviceCatalog catalog;

    DeviceNames(DeviceCatalog catalog) {
        this.catalog = catalog;
    }

    /// Returns a search with names of the catalog, and with the counts of `devices` in `num_devices`.
    ///
    /// @throws InvalidRequestException if `devices` and `num_devices` have different counts
    OptimizationRequest of(OptimizationRequest request) {
        return withNames(withCounts(request));
    }

    /// Returns a request with names of the catalog.
    <T extends Record> T withNames(T request) {
        return withNames(request, own(request));
    }

    /// Returns the names of devices that a request brings along, which stay as they are.
    private static List<String> own(Record request) {
        List<String> names = new ArrayList<>();
        for (WireMember member : WireMember.components(request.getClass())) {
            Object value = member.valueIn(request);
            for (Object one : value instanceof List<?> list ? list : Collections.singletonList(value)) {
                if (one instanceof DeviceDocument document && document.name() != null) {
                    names.add(document.name());
                }
            }
        }
        return names;
    }

    private <T extends Record> T withNames(T request, List<String> own) {
        List<@Nullable Object> changes = new ArrayList<>();
        for (WireMember member : WireMember.components(request.getClass())) {
            Object value = member.valueIn(request);
            Object named = named(member.component(), value, own);
            if (!Objects.equals(named, value)) {
                changes.add(member.component());
                changes.add(named);
            }
        }
        return changes.isEmpty() ? request : WireMember.copy(request, changes.toArray());
    }

    private @Nullable Object named(String component, @Nullable Object value, List<String> own) {
        return switch (value) {
            case null -> null;
            case String name when component.equals(DEVICE) -> canonical(name, own);
            case List<?> names
            when LISTS.contains(component) ->
                names.stream()
                        .map(name -> name instanceof String text ? canonical(text, own) : name)
                        .toList();
            case List<?> list ->
                list.stream()
                        .map(element -> element instanceof Record part ? part(part, own) : element)
                        .toList();
            case PerDevice<?> values when values.isForEach() -> perDevice(values, own);
            case Record part -> part(part, own);
            default -> value;
        };
    }

    private Record part(Record part, List<String> own) {
        return WireMember.isRequest(part.getClass()) && NAMING.get(part.getClass()) ? withNames(part, own) : part;
    }

    private <T> PerDevice<T> perDevice(PerDevice<T> values, List<String> own) {
        Map<String, T> each = new LinkedHashMap<>();
        values.each().forEach((name, value) -> each.put(canonical(name, own), value));
        return each.size() == values.each().size() ? new PerDevice<>(null, each) : values;
    }

    /// Returns the catalog's name of a device; the name itself if the catalog has none.
    private String canonical(String name, List<String> own) {
        if (own.contains(name)) {
            return name;
        }
        String known = known(name);
        return known == null ? name : known;
    }

    private @Nullable String known(String name) {
        String upper = name.toUpperCase(Locale.ROOT).replace('-', '_');
        return Stream.of(name, upper, upper + "_SXM")
                .filter(candidate -> catalog.find(candidate).isPresent())
                .findFirst()
                .orElse(null);
    }

    private OptimizationRequest withCounts(OptimizationRequest request) {
        List<String> own = own(request);
        List<String> devices = new ArrayList<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String device : request.devices()) {
            Matcher counted = WITH_COUNT.matcher(device == null ? "" : device);
            String name = counted.matches() && !own.contains(device) ? known(counted.group(2)) : null;
            devices.add(name == null ? device : name);
            if (name != null) {
                counts.put(name, Integer.valueOf(counted.group(1)));
            }
        }
        if (counts.isEmpty()) {
            return request;
        }
        if (counts.size() < Set.copyOf(devices).size()) {
            throw refused("must have a count in devices for each device or for none. Add the missing counts.");
        }
        PerDevice<Integer> stated = requireNonNull(request.numDevices());
        PerDevice<Integer> all =
                counts.size() == 1 ? PerDevice.ofAll(counts.values().iterator().next()) : new PerDevice<>(null, counts);
        if (!stated.equals(all) && !stated.equals(PerDevice.ofAll(1))) {
            throw refused("must not be combined with counts in devices. Remove one.");
        }
        return WireMember.copy(request, "devices", List.copyOf(devices), "numDevices", all);
    }

    private static InvalidRequestException refused(String message) {
        return new InvalidRequestException("/num_devices", message);
    }
}
