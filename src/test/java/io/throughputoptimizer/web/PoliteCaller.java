package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.RawHttp;
import io.throughputoptimizer.fixture.RawHttp.Answer;
import io.throughputoptimizer.web.description.Examples;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A caller as there should be: it asks one small thing after the other, with a key of its own, and looks at what it
/// was answered. Each of its requests is to be served.
final class PoliteCaller {
    private static final String JSON = "application/json";

    private final RawHttp http;
    private final String key;
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final List<Request> times = new ArrayList<>();
    private String job = "";

    /// @param line what was asked, without its version
    record Request(String line, Duration time) {}

    PoliteCaller(RawHttp http, String key) {
        this.http = http;
        this.key = key;
    }

    /// Asks once for each thing that it asks for.
    void askEverything() throws IOException {
        Answer search = ask("POST /api/v1/optimizations", HttpTest.PREFILL);
        search.header("Location").ifPresent(path -> job = path);
        ask("POST /api/v1/estimates", Examples.text("decode-pass.json"));
        ask("GET " + job, "");
        ask("GET /api/v1/models/Qwen/Qwen3-8B", "");
        ask("GET /api/v1/optimizations?limit=5", "");
        ask("GET /api/v1/capabilities", "");
        ask("GET /index.html", "");
    }

    private Answer ask(String line, String body) throws IOException {
        Answer answer = http.send(line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + key + "\r\nPrefer: wait=1\r\nContent-Type: " + JSON + "\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body);
        if (answer.status() < 200 || answer.status() > 202) {
            complaints.add(line + ": " + answer);
        }
        synchronized (times) {
            times.add(new Request(line.replace(job, "/JOB"), answer.time()));
        }
        return answer;
    }

    /// What was not served, so far.
    Queue<String> complaints() {
        return complaints;
    }

    void forgetTimes() {
        synchronized (times) {
            times.clear();
        }
    }

    /// The request than which 99 of 100 took less time, of those that are not forgotten; forgets them.
    Request percentile99() {
        synchronized (times) {
            times.sort(Comparator.comparing(Request::time));
            Request found = times.get(Math.min(times.size() - 1, times.size() * 99 / 100));
            times.clear();
            return found;
        }
    }
}
