package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Licenses of the jar's bill of materials. `package` makes the bill; before it there is nothing to check.
@EveryNight
class LicensesIT {
    private static final String BILL = "/META-INF/sbom/application.cdx.json";

    /// None asks for more than to be named, or for its own sources alone.
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0", "MIT", "MIT-0", "BSD-2-Clause", "BSD-3-Clause", "EPL-1.0", "EPL-2.0", "MPL-2.0", "CC0-1.0");

    @Test
    void everyComponentHasALicenceThatIsAllowed() throws IOException {
        assertThat(licences())
                .isNotEmpty()
                .allSatisfy((_, licences) -> assertThat(licences).containsAnyElementsOf(ALLOWED));
    }

    /// By group and name.
    private static SortedMap<String, Set<String>> licences() throws IOException {
        SortedMap<String, Set<String>> licences = new TreeMap<>();
        try (InputStream bill = LicensesIT.class.getResourceAsStream(BILL)) {
            assumeTrue(bill != null, "no bill of materials before the phase package");
            for (JsonNode component : JsonMapper.shared().readTree(bill).path("components")) {
                String name = component.path("group").asString("") + ":"
                        + component.path("name").asString("");
                licences.computeIfAbsent(name, _ -> new TreeSet<>()).addAll(of(component));
            }
        }
        return licences;
    }

    private static Set<String> of(JsonNode component) {
        return component
                .path("licenses")
                .valueStream()
                .flatMap(choice -> Stream.of(
                                choice.path("license").path("id"),
                                choice.path("license").path("name"),
                                choice.path("expression"))
                        .flatMap(named -> Optional.ofNullable(named.asString(null)).stream()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
