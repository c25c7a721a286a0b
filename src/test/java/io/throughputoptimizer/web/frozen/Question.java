package io.throughputoptimizer.web.frozen;

import io.throughputoptimizer.api.WireFormat;
import java.util.List;
import java.util.Map;

/// A request, and what else of its answer is looked at besides JSON.
///
/// @param type media type of the body
record Question(String path, String type, String body, List<View> views) {
    static final String OPTIMIZATIONS = "/api/v1/optimizations";

    private static final String JSON = "application/json";

    static Question search(String body, List<View> views) {
        return new Question(OPTIMIZATIONS + "?include=probes,frontier,compositions,all_rows", JSON, body, views);
    }

    static Question search(Map<String, Object> request) {
        return search(WireFormat.write(request), View.SEARCHED);
    }

    static Question explained(Map<String, Object> request) {
        request.put("explain", true);
        return search(WireFormat.write(request), View.EXPLAINED);
    }

    static Question estimate(String body) {
        return new Question("/api/v1/estimates", JSON, body, List.of());
    }

    static Question simulation(String body) {
        return new Question("/api/v1/simulations", JSON, body, View.AT_ONCE);
    }

    /// @param query how it is binned
    static Question trace(String query, String type, String lines) {
        return new Question("/api/v1/length-distributions/from-trace" + query, type, lines, View.AT_ONCE);
    }

    boolean isSearch() {
        return path.startsWith(OPTIMIZATIONS);
    }

    @Override
    public String toString() {
        return "POST " + path + " " + body.strip();
    }
}
