package io.throughputoptimizer.api.result.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.result.catalog.ModelResponse.PricingResponse;
import io.throughputoptimizer.api.result.catalog.ModelResponse.PricingResponse.Outcome;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.PublishedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tables of `docs/models.md` that are made of what the service says: `-Dmodels.write=true` writes them anew after a
/// model, a family or a cost model has learnt something.
class ModelTablesTest {
    private static final Path PAGE = Path.of("docs", "models.md");
    private static final boolean WRITES = Boolean.getBoolean("models.write");
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final ModelPricing PRICING = new ModelPricing(
            CATALOGS.calibrations().values(), CATALOGS.engines().values());

    static List<ModelArchitecture> models() {
        return CATALOGS.models().all();
    }

    @Test
    void whatIsPricedOfTheCatalogueIsInTheGuide() throws IOException {
        Map<List<String>, List<String>> rows = new LinkedHashMap<>();
        for (ModelArchitecture model : models()) {
            List<PricingResponse> pricing = PRICING.of(model);
            rows.computeIfAbsent(List.of(words(pricing.getFirst()), words(pricing.getLast())), _ -> new ArrayList<>())
                    .add(model.id());
        }

        assertTable("priced", "| Models | `analytic` | `calibrated` |", rows);
    }

    @Test
    void whatBecomesOfEightySixPublishedFilesIsInTheGuide() throws IOException {
        Map<String, Map<String, @Nullable Object>> files = PublishedFiles.all();
        Map<List<String>, List<String>> rows = new LinkedHashMap<>();
        for (Map.Entry<String, Map<String, @Nullable Object>> file : files.entrySet()) {
            rows.computeIfAbsent(becomes(file.getKey(), file.getValue()), _ -> new ArrayList<>())
                    .add(file.getKey());
        }

        assertThat(files).hasSize(86);
        assertTable("published", "| Files | Priced by | Refused |", rows);
    }

    private static List<String> becomes(String id, Map<String, @Nullable Object> config) {
        try {
            ModelArchitecture model = StoredModel.of(id, new HuggingFaceConfig(config));
            List<PricingResponse> pricing = PRICING.of(model);
            List<PricingResponse> refused = pricing.stream()
                    .filter(one -> one.outcome() == Outcome.REFUSED)
                    .toList();
            String by = switch (refused.size()) {
                case 0 -> "both";
                case 1 -> "`" + priced(pricing) + "`";
                default -> "none";
            };
            return List.of(
                    by,
                    refused.stream()
                            .map(one -> Objects.requireNonNull(one.reason()))
                            .collect(Collectors.joining("; ")));
        } catch (ModelConfigException e) {
            String message = Objects.requireNonNull(e.getMessage());
            boolean ofType = e.pointer().equals("/model_type");
            return List.of(
                    "none",
                    "`" + e.pointer() + "`: " + (ofType ? message.replaceFirst("[:;] supported are.*", "") : message));
        }
    }

    private static String priced(List<PricingResponse> pricing) {
        return pricing.stream()
                .filter(one -> one.outcome() != Outcome.REFUSED)
                .map(one -> one.costModel().name().toLowerCase(java.util.Locale.ROOT))
                .findFirst()
                .orElseThrow();
    }

    private static String words(PricingResponse pricing) {
        return switch (pricing.outcome()) {
            case PRICED -> "priced";
            case FLAGGED ->
                Objects.requireNonNull(pricing.flags()).stream()
                        .map(flag -> "`" + flag + "`")
                        .collect(Collectors.joining(", ", "flagged: ", ""));
            case REFUSED -> "refused: " + pricing.reason();
        };
    }

    private static void assertTable(String mark, String head, Map<List<String>, List<String>> rows) throws IOException {
        String table = rows.entrySet().stream()
                .map(row -> "| "
                        + row.getValue().stream().map(id -> "`" + id + "`").collect(Collectors.joining(", ")) + " | "
                        + String.join(" | ", row.getKey()) + " |")
                .collect(Collectors.joining("\n", head + "\n|---|---|---|\n", "\n"));
        String begin = "<!-- " + mark + ": written by ModelTablesTest -->\n";
        String end = "<!-- end of " + mark + " -->";
        String page = Files.readString(PAGE);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(end);
        if (WRITES) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        } else {
            assertThat(page.substring(from, to))
                    .as("after a meant change: run this test with -Dmodels.write=true")
                    .isEqualTo(table);
        }
    }

    /// The list says what becomes of requests, which read the same obstacles.
    @ParameterizedTest
    @MethodSource("models")
    void theListAgreesWithWhatRequestsMayAsk(ModelArchitecture model) {
        ModelResponse response = ModelResponse.from(model, PRICING);

        assertThat(response.pricing())
                .filteredOn(pricing -> pricing.outcome() != Outcome.REFUSED)
                .extracting(PricingResponse::costModel)
                .containsExactlyElementsOf(response.supported().costModels());
        assertThat(response.pricing())
                .allSatisfy(
                        pricing -> assertThat(pricing.reason() != null).isEqualTo(pricing.outcome() == Outcome.REFUSED))
                .allSatisfy(
                        pricing -> assertThat(pricing.flags() != null).isEqualTo(pricing.outcome() == Outcome.FLAGGED));
    }
}
