package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One visitor of the dashboard. Leaving asserts that the page asked no other host for anything and that its console
/// stayed free of errors.
final class Visit implements AutoCloseable {
    private static final int WAIT_SECONDS = 60;

    private final BrowserContext context;
    private final Page page;
    private final String origin;
    private final List<String> complaints = new ArrayList<>();
    private final List<String> foreignRequests = new ArrayList<>();
    private int refusals;

    Visit(BrowserContext context, int port) {
        this.context = context;
        this.origin = "http://127.0.0.1:" + port;
        this.page = context.newPage();
        page.onConsoleMessage(this::hear);
        page.onPageError(complaints::add);
        context.onRequest(request -> {
            if (!request.url().startsWith(origin + "/") && !request.url().startsWith("blob:" + origin + "/")) {
                foreignRequests.add(request.url());
            }
        });
    }

    private void hear(ConsoleMessage message) {
        boolean refused = message.text().contains("status of 40") && refusals > 0;
        if (refused) {
            refusals--;
        } else if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text() + " " + message.location());
        }
    }

    /// The browser itself reports every refused request as an error: the next one is meant.
    Visit expectRefusal() {
        refusals++;
        return this;
    }

    Page page() {
        return page;
    }

    /// Opens the dashboard at an address behind the `#`.
    Visit open(String route) {
        page.navigate(origin + "/#" + route);
        return this;
    }

    Visit openJob(String id) {
        open("/jobs/" + id);
        assertThat(page.locator("#job-view .job-heading")).isVisible();
        return this;
    }

    Locator field(String label) {
        return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
    }

    Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    Locator link(String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    Locator bestInWords() {
        return page.locator(".best-words");
    }

    void startFrom(String preset) {
        page.locator(".preset:has(strong:text-is(\"" + preset + "\"))").click();
    }

    void run() {
        button("Find the best configuration").click();
    }

    /// Submits a question past the page and waits for its answer.
    ///
    /// @return the finished job
    JsonNode ask(String question) {
        APIResponse answer = context.request()
                .post(
                        origin + "/api/v1/optimizations",
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("Prefer", "wait=" + WAIT_SECONDS)
                                .setData(question));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.text());
    }

    String askForId(String question) {
        return ask(question).required("id").asString();
    }

    @Override
    public void close() {
        context.close();
        assertThat(complaints).as("console").isEmpty();
        assertThat(foreignRequests).as("requests to other hosts").isEmpty();
    }
}
