package io.throughputoptimizer.web.description;

/// Answers to requests that cannot be served, for the API description.
public final class ProblemExamples {
    public static final String INVALID = """
            {
              "type": "/problems/invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "slo.ttft_ms must be greater than 0, got -1.0.",
              "errors": [{"pointer": "/slo/ttft_ms", "detail": "slo.ttft_ms must be greater than 0, got -1.0."}]
            }""";

    public static final String INVALID_PARAMETER = """
            {
              "type": "/problems/invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "limit must be a whole number from 1 to 100, got \\"0\\".",
              "errors": [{"parameter": "limit", "detail": "limit must be a whole number from 1 to 100, got \\"0\\"."}]
            }""";

    public static final String UNKNOWN_PARAMETER = """
            {
              "type": "/problems/invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "limit is unknown: the operation has no query parameters. Remove it.",
              "errors": [
                {"parameter": "limit", "detail": "limit is unknown: the operation has no query parameters. Remove it."}
              ]
            }""";

    public static final String UNKNOWN_JOB = """
            {
              "type": "about:blank",
              "title": "Not Found",
              "status": 404,
              "detail": "There is no optimization of this id."
            }""";

    public static final String UNKNOWN_DEVICE = """
            {
              "type": "about:blank",
              "title": "Not Found",
              "status": 404,
              "detail": "unknown device \\"TEST_DEVIC\\"; nearest to it: TEST_DEVICE, TPU_V6E, TPU_V7"
            }""";

    public static final String NO_RESULT = """
            {
              "type": "/problems/no-result",
              "title": "No result",
              "status": 409,
              "detail": "The optimization is running: only a succeeded one has a result."
            }""";

    public static final String STILL_RUNNING = """
            {
              "type": "/problems/still-running",
              "title": "Still running",
              "status": 409,
              "detail": "The optimization is queued or running. Cancel it first with POST .../cancel."
            }""";

    public static final String CANNOT_LAUNCH = """
            {
              "type": "/problems/cannot-launch",
              "title": "Cannot launch",
              "status": 422,
              "detail": "vLLM cannot run this row: it keeps no replicas of all experts."
            }""";

    public static final String TOO_LARGE_TO_ANSWER = """
            {
              "type": "/problems/too-large-to-answer",
              "title": "Too large to answer at once",
              "status": 422,
              "detail": "The search takes more than 3 s of processor time, the limit of a search that is not stored. Submit a job: send the same request without store=false."
            }""";

    public static final String FAILED = """
            {
              "type": "/problems/no-result",
              "title": "No result",
              "status": 409,
              "detail": "The optimization is failed: only a succeeded one has a result."
            }""";

    public static final String KEY_REUSED = """
            {
              "type": "/problems/idempotency-key-reused",
              "title": "Idempotency key reused",
              "status": 422,
              "detail": "The Idempotency-Key was used before with another request. Use a new key."
            }""";

    public static final String TOO_LARGE = """
            {
              "type": "/problems/body-too-large",
              "title": "Request body too large",
              "status": 413,
              "detail": "The request body is longer than 1048576 bytes."
            }""";

    public static final String UNSUPPORTED = """
            {
              "type": "about:blank",
              "title": "Unsupported Media Type",
              "status": 415,
              "detail": "Content-Type application/x-www-form-urlencoded is not supported; allowed: application/json, application/yaml."
            }""";

    public static final String QUEUE_FULL = """
            {
              "type": "/problems/queue-full",
              "title": "Queue full",
              "status": 429,
              "detail": "81 of at most 100 jobs are queued, and 80 of them are yours, the maximum for one caller. Retry after the time in Retry-After, or cancel one."
            }""";

    public static final String SEARCHES_BUSY = """
            {
              "type": "/problems/searches-busy",
              "title": "Searches busy",
              "status": 429,
              "detail": "Too many searches with store=false are waiting. Retry after the time in Retry-After, or submit a job without store=false."
            }""";

    public static final String SWEEPS_FULL = """
            {
              "type": "/problems/queue-full",
              "title": "Queue full",
              "status": 429,
              "detail": "17 of at most 20 sweeps are queued, and 16 of them are yours, the maximum for one caller. Retry after the time in Retry-After, or cancel one."
            }""";

    public static final String KEY_NEEDED = """
            {
              "type": "/problems/key-needed",
              "title": "Key needed",
              "status": 401,
              "detail": "Authentication required. Send the header Authorization: Bearer KEY. An admin creates keys."
            }""";

    public static final String ROLE_NEEDED = """
            {
              "type": "/problems/role-needed",
              "title": "Role needed",
              "status": 403,
              "detail": "This operation requires the role submit; ann has read."
            }""";

    public static final String RATE_LIMITED = """
            {
              "type": "/problems/rate-limited",
              "title": "Rate limited",
              "status": 429,
              "detail": "The caller exceeds its requests per minute. Retry after the time in Retry-After."
            }""";

    public static final String UNFORESEEN = """
            {
              "type": "about:blank",
              "title": "Internal Server Error",
              "status": 500,
              "detail": "The request failed because of an error in the service."
            }""";

    private ProblemExamples() {}

    /// @param available media types that the operation answers
    public static String notAcceptable(String available) {
        return """
                {
                  "type": "about:blank",
                  "title": "Not Acceptable",
                  "status": 406,
                  "detail": "Acceptable representations: [%s]."
                }""".formatted(available);
    }
}
