package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import org.junit.jupiter.api.Test;

/// Swagger UI runs under its content security policy: it draws, tries an operation out, and complains about nothing.
@EveryNight
class SwaggerUiIT extends BrowserTest {

    @Test
    void aKeyCanBeGiven() {
        try (Visit visit = visit()) {
            visit.openPath("/swagger-ui.html");
            visit.page().locator(".auth-wrapper .authorize").first().click();

            assertThat(visit.page().locator(".dialog-ux")).containsText("http, Bearer");
        }
    }

    @Test
    void searchesComeFirstAndSchemasAreHidden() {
        try (Visit visit = visit()) {
            visit.openPath("/swagger-ui.html");
            Locator sections = visit.page().locator(".opblock-tag-section");

            assertThat(sections.locator("h3").first()).containsText("Optimizations");
            assertThat(sections.first()
                            .locator(".opblock .opblock-summary-method")
                            .first())
                    .hasText("POST");
            assertThat(sections.first()
                            .locator(".opblock .opblock-summary-path")
                            .first())
                    .hasText("/api/v1/optimizations");
            assertThat(visit.page().locator(".models")).hasCount(0);
        }
    }

    @Test
    void swaggerUiRunsAnOperationWithoutComplaint() {
        try (Visit visit = visit()) {
            visit.openPath("/swagger-ui.html");
            Locator operation = visit.page().locator("#operations-Catalog-listDevices");
            operation.locator(".opblock-summary-control").click();
            operation.locator(".try-out__btn").click();
            operation.locator(".execute").click();

            assertThat(operation
                            .locator(".live-responses-table tbody .response-col_status")
                            .first())
                    .containsText("200");
        }
    }
}
