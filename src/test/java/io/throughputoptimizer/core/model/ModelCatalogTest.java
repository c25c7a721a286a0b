package io.throughputoptimizer.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.fixture.Architectures;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelCatalogTest {

    @Test
    void modelsAreFoundByTheirExactIdAndListedInTheOrderGiven() {
        ModelArchitecture zebra = model("zoo/Zebra");
        ModelArchitecture antelope = model("zoo/Antelope");
        ModelCatalog catalog = new ModelCatalog(List.of(zebra, antelope));

        assertThat(catalog.find("zoo/Antelope")).contains(antelope);
        assertThat(catalog.find("Antelope")).isEmpty();
        assertThat(catalog.ids()).containsExactly("zoo/Zebra", "zoo/Antelope");
        assertThat(catalog.all()).containsExactly(zebra, antelope);
    }

    @Test
    void anIdCannotBeTakenTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ModelCatalog(List.of(model("zoo/Zebra"), model("zoo/Zebra"))))
                .withMessage("model zoo/Zebra is listed twice: ids are unique");
    }

    private static ModelArchitecture model(String id) {
        return Architectures.of(
                id,
                "llama",
                2,
                64,
                100,
                128,
                1e-6,
                new AttentionSpec.GroupedQuery(4, 2, 16, AttentionSpec.HeadNorm.NONE, false, false),
                new FeedForwardSpec.Dense(256));
    }
}
