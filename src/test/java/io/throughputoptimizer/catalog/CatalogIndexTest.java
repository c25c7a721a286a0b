package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CatalogIndexTest {

    /// A file that its index forgets would silently be missing from the service.
    @ParameterizedTest
    @ValueSource(strings = {"devices", "models", "length-distributions"})
    void anIndexNamesEveryFileBesideIt(String kind) throws IOException, URISyntaxException {
        Path index =
                Path.of(Objects.requireNonNull(CatalogIndexTest.class.getResource("/catalog/" + kind + "/index.txt"))
                        .toURI());
        List<String> files;
        try (Stream<Path> entries = Files.list(Objects.requireNonNull(index.getParent()))) {
            files = entries.filter(entry -> !entry.equals(index))
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .toList();
        }

        assertThat(Files.readAllLines(index)).containsExactlyInAnyOrderElementsOf(files);
    }
}
