package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// One visitor of the dashboard. Leaving asserts that the page asked no other host for anything and that its console
/// stayed free of errors.
final class Visit implements AutoCloseable {
    /// As the page asks.
    private static final String WITH_PROBES = "include=probes,frontier,compositions,all_rows";

    private static final String WITH_DEFAULTS = "include=defaults";

    private static final String OPTIMIZATIONS = "/api/v1/optimizations";

    /// Where the page asks while a question is written: jobs are submitted with their probes.
    private static final String LIVE = OPTIMIZATIONS + "?store=false&" + WITH_PROBES + ",defaults";

    /// The simulations that the page asks for percentiles.
    private static final String SIMULATIONS = "/api/v1/simulations";

    /// Where the page asks the other mode beside what was asked.
    private static final String BESIDE = OPTIMIZATIONS + "?store=false";

    /// The address of either, and where in it.
    private static final Pattern LIVE_CALL =
            Pattern.compile("/api/v1/optimizations\\?store=false(&include=[a-z_,]+)?:");

    private static final String REPEATED_IDS = """
            () => [...document.querySelectorAll("[id]")].map(({ id }) => id).filter((id, at, all) => all.indexOf(id) < at)
            """;

    private static final int WAIT_SECONDS = 600;
    private static final int MOST_TABS = 100;
    private static final Pattern JOB_ADDRESS = Pattern.compile("#/jobs/([0-9a-f-]{36})$");
    private static final Pattern REFUSAL = Pattern.compile("status of [45]\\d\\d");

    private final BrowserContext context;
    private final Look look;
    private final Runnable leave;
    private final Page page;
    private final String origin;
    private final List<String> complaints = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Request> abandoned = new ArrayList<>();
    private final Consumer<ConsoleMessage> heard = this::hear;
    private final Consumer<String> failed = complaints::add;
    private final Consumer<Request> asked = requests::add;
    private final Consumer<Request> gaveUp = abandoned::add;
    private int refusals;

    /// @param page empty
    /// @param leave takes the page back
    Visit(Page page, int port, Look look, Runnable leave) {
        this.page = page;
        this.context = page.context();
        this.look = look;
        this.leave = leave;
        this.origin = "http://127.0.0.1:" + port;
        page.setDefaultTimeout(BrowserTest.LONGEST_WAIT_MILLIS);
        page.onConsoleMessage(heard);
        page.onPageError(failed);
        context.onRequest(asked);
        context.onRequestFailed(gaveUp);
    }

    private void hear(ConsoleMessage message) {
        boolean refused = REFUSAL.matcher(message.text()).find();
        if (refused && LIVE_CALL.matcher(message.location()).find()) {
            return; // questions that are half written are refused, and those that stand beside them may be
        }
        if (refused && refusals > 0) {
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

    /// Where the service is.
    String origin() {
        return origin;
    }

    /// Opens the dashboard at an address behind the `#`.
    Visit open(String route) {
        return openPath("/#" + route);
    }

    /// Opens the plan page with all its settings.
    Visit openSettings() {
        return open("/").showSettings();
    }

    /// Shows all settings of the plan page that is open.
    Visit showSettings() {
        Locator toggle = page.locator("#settings-toggle");
        toggle.waitFor();
        if ("false".equals(toggle.getAttribute("aria-expanded"))) {
            toggle.click();
        }
        return this;
    }

    /// Opens any page of the service.
    Visit openPath(String path) {
        page.navigate(origin + path);
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
        return page.locator("#job-view .hero").first();
    }

    void startFrom(String preset) {
        page.locator(".preset:has(strong:text-is(\"" + preset + "\"))").click();
    }

    void run() {
        button("Save plan").click();
    }

    /// Downloads a format of the menu.
    Download download(String format) {
        page.locator(".menu:visible summary").click();
        return page.waitForDownload(() -> page.locator(".menu:visible")
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(format))
                .click());
    }

    /// Confirms that something is deleted.
    void confirmRemoval() {
        page.locator("dialog button.danger").click();
    }

    /// Unfolds the choice of formulas, and takes these.
    void account(String accounting) {
        page.locator("summary", new Page.LocatorOptions().setHasText("Accounting and raw rows"))
                .click();
        field("Accounting").selectOption(accounting);
    }

    /// Submits a question past the page and waits for its answer.
    ///
    /// @return the finished job
    JsonNode ask(String question) {
        return JsonMapper.shared().readTree(answerTo(question, "application/json"));
    }

    /// Submits a question past the page and waits for its answer in one of its formats.
    String answerTo(String question, String mediaType) {
        return answerTo("optimizations?" + WITH_PROBES + ",defaults", question, mediaType);
    }

    /// Posts a question past the page and waits for its answer.
    ///
    /// @param path which kind of question it is
    String answerTo(String path, String question, String mediaType) {
        APIResponse answer = context.request()
                .post(
                        origin + "/api/v1/" + path,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("Accept", mediaType)
                                .setHeader("Prefer", "wait=" + WAIT_SECONDS)
                                .setTimeout(BrowserTest.LONGEST_WAIT_MILLIS)
                                .setData(question));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.text();
    }

    /// Asks past the page what may be refused.
    ///
    /// @return id of the job, if it is not
    Optional<String> idIfAnswered(String question) {
        APIResponse answer = context.request()
                .post(
                        origin + OPTIMIZATIONS + "?" + WITH_DEFAULTS,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("Prefer", "wait=" + WAIT_SECONDS)
                                .setTimeout(BrowserTest.LONGEST_WAIT_MILLIS)
                                .setData(question));
        return answer.ok()
                ? Optional.of(JsonMapper.shared()
                        .readTree(answer.text())
                        .required("id")
                        .asString())
                : Optional.empty();
    }

    /// Submits a question past the page without waiting for its answer.
    ///
    /// @return id of the job
    String submit(String question) {
        APIResponse answer = context.request()
                .post(
                        origin + OPTIMIZATIONS + "?" + WITH_DEFAULTS,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setData(question));
        assertThat(answer.status()).as(answer.text()).isEqualTo(202);
        return JsonMapper.shared().readTree(answer.text()).required("id").asString();
    }

    String askForId(String question) {
        return ask(question).required("id").asString();
    }

    /// The same of a service that asks for keys.
    String askForId(String question, String key) {
        APIResponse answer = context.request()
                .post(
                        origin + OPTIMIZATIONS + "?" + WITH_DEFAULTS,
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setHeader("Authorization", "Bearer " + key)
                                .setHeader("Prefer", "wait=" + WAIT_SECONDS)
                                .setTimeout(BrowserTest.LONGEST_WAIT_MILLIS)
                                .setData(question));
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.text()).required("id").asString();
    }

    /// Makes a link to a job past the page.
    ///
    /// @return its token
    String share(String id) {
        APIResponse answer = context.request()
                .post(
                        origin + OPTIMIZATIONS + "/" + id + "/shares",
                        RequestOptions.create()
                                .setHeader("Content-Type", "application/json")
                                .setData("{}"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return JsonMapper.shared().readTree(answer.text()).required("token").asString();
    }

    /// Paths of the API that the page has called.
    List<String> calls() {
        return requests.stream()
                .map(Request::url)
                .filter(url -> url.startsWith(origin + "/api/"))
                .map(url -> url.substring(origin.length()))
                .toList();
    }

    /// Answer of the service to a request past the page; that of a job, or its result, with its probes.
    APIResponse get(String path, String mediaType) {
        String query = path.matches(OPTIMIZATIONS + "/[^/]+(/result)?") ? "?" + WITH_PROBES : "";
        return context.request()
                .get(origin + path + query, RequestOptions.create().setHeader("Accept", mediaType));
    }

    /// What the page has asked the service about one job: how, and for which part of it.
    List<String> requestsAbout(String id) {
        String job = origin + "/api/v1/optimizations/" + id;
        return requests.stream()
                .filter(request -> request.url().startsWith(job))
                .map(request -> request.resourceType() + " " + request.method() + " "
                        + request.url().substring(job.length()).replace("?" + WITH_PROBES, ""))
                .toList();
    }

    /// Questions that the page has submitted.
    List<String> submissions() {
        return posts().map(Request::url)
                .filter(url -> !url.equals(origin + LIVE)
                        && !url.equals(origin + BESIDE)
                        && !url.equals(origin + SIMULATIONS)
                        && !url.startsWith(origin + "/api/v1/launch-scripts?"))
                .toList();
    }

    /// Questions that the page has asked of a path below that of optimizations, as they were sent.
    List<String> asked(String path) {
        return posts().filter(request -> request.url().startsWith(origin + OPTIMIZATIONS + "/" + path))
                .map(Request::postData)
                .toList();
    }

    /// Questions that the page has asked while they were written, as they were sent.
    List<String> askedLive() {
        return posts().filter(request -> request.url().equals(origin + LIVE))
                .map(Request::postData)
                .toList();
    }

    /// Simulations that the page has asked, as they were sent.
    List<String> simulated() {
        return posts().filter(request -> request.url().equals(origin + SIMULATIONS))
                .map(Request::postData)
                .toList();
    }

    private Stream<Request> posts() {
        return requests.stream().filter(request -> request.method().equals("POST"));
    }

    /// Answers what the page asks while a question is written, in place of the service.
    Visit answerLive(Consumer<Route> answer) {
        page.route((origin + LIVE)::equals, answer);
        return this;
    }

    /// Answers the simulations that the page asks, in place of the service.
    Visit answerSimulations(Consumer<Route> answer) {
        page.route(origin + SIMULATIONS, answer);
        return this;
    }

    /// Has no question answered while it is written, as by a service that is busy.
    Visit unansweredWhileWritten() {
        return answerLive(route -> route.fulfill(new Route.FulfillOptions()
                .setStatus(429)
                .setContentType("application/problem+json")
                .setBody("{\"status\": 429, \"detail\": \"Too many searches wait.\"}")));
    }

    /// Where the page shows what is answered while the question is written.
    Locator liveAnswer() {
        return page.locator("#live-answer");
    }

    /// What it says of a question without an answer.
    Locator liveRemark() {
        return page.locator("#live-remark");
    }

    /// Waits until the page has given up a request.
    void awaitAbandoned(String resourceType) {
        page.waitForCondition(() ->
                abandoned.stream().anyMatch(request -> request.resourceType().equals(resourceType)));
    }

    /// Id of the job that is shown, once one is.
    String shownJob() {
        assertThat(page).hasURL(JOB_ADDRESS);
        Matcher address = JOB_ADDRESS.matcher(page.url());
        assertThat(address.find()).isTrue();
        return address.group(1);
    }

    /// Presses the tab key until an element has the focus.
    Visit tabTo(Locator element) {
        element.waitFor();
        for (int presses = 0; presses < MOST_TABS; presses++) {
            page.keyboard().press("Tab");
            if ((Boolean) element.evaluate("node => node === document.activeElement")) {
                return this;
            }
        }
        throw new AssertionError("The tab key does not lead to " + element);
    }

    /// Asserts that axe-core finds nothing to complain about in any look, that the page fits the width of
    /// each, and that no two elements share an id.
    void assertNoBarriers() {
        assertThat(page.evaluate(REPEATED_IDS)).as("ids of several elements").isEqualTo(List.of());
        for (Look other : Look.values()) {
            other.show(page);
            assertNoBarriers(other);
        }
        look.show(page);
    }

    private void assertNoBarriers(Look shown) {
        assertFitsTheWidth();
        // In the page itself instead of one more that is opened for it: it has no frames.
        List<Rule> violations =
                shown.rules(new AxeBuilder(page).setLegacyMode(true)).analyze().getViolations();
        assertThat(violations)
                .as(shown + ": "
                        + violations.stream()
                                .flatMap(rule ->
                                        rule.getNodes().stream().map(node -> rule.getId() + " " + node.getHtml()))
                                .toList()
                                .toString())
                .isEmpty();
    }

    /// Asserts that nobody has to scroll sideways, once charts are drawn as large as there is room.
    void assertFitsTheWidth() {
        assertThat((Boolean) page.evaluate("""
                () => new Promise(shown => requestAnimationFrame(() => requestAnimationFrame(() =>
                  shown(document.documentElement.scrollWidth <= document.documentElement.clientWidth))))""")).as("fits the width").isTrue();
    }

    @Override
    public void close() {
        page.offConsoleMessage(heard);
        page.offPageError(failed);
        context.offRequest(asked);
        context.offRequestFailed(gaveUp);
        page.unrouteAll();
        if (page.url().startsWith(origin)) {
            page.evaluate("() => sessionStorage.clear()"); // the next visitor has not been here
        }
        page.navigate("about:blank");
        leave.run();
        assertThat(complaints).as("console").isEmpty();
        assertThat(requests)
                .as("all requests stay on the host")
                .extracting(Request::url)
                .allMatch(url -> url.startsWith(origin + "/") || url.startsWith("blob:" + origin + "/"));
    }
}
