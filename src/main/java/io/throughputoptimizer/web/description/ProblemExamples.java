package io.throughputoptimizer.web.description;

/// Answers to requests that cannot be served, for the API description.
public final class ProblemExamples {
    public static final String INVALID = """
            {
              "type": "urn:throughput-optimizer:problem:invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "/slo/ttft_ms is -1.0: a number above 0 is needed",
              "errors": [{"pointer": "/slo/ttft_ms", "message": "is -1.0: a number above 0 is needed"}]
            }""";

    public static final String INVALID_PARAMETER = """
            {
              "type": "urn:throughput-optimizer:problem:invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "limit is \\"0\\": a whole number from 1 to 100 is needed",
              "errors": [{"parameter": "limit", "message": "is \\"0\\": a whole number from 1 to 100 is needed"}]
            }""";

    public static final String UNKNOWN_PARAMETER = """
            {
              "type": "urn:throughput-optimizer:problem:invalid-request",
              "title": "Invalid request",
              "status": 400,
              "detail": "limit is unknown: the operation has no query parameters",
              "errors": [
                {"parameter": "limit", "message": "is unknown: the operation has no query parameters"}
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
              "type": "urn:throughput-optimizer:problem:no-result",
              "title": "No result",
              "status": 409,
              "detail": "The optimization is running: only a succeeded one has a result."
            }""";

    public static final String CANNOT_LAUNCH = """
            {
              "type": "urn:throughput-optimizer:problem:cannot-launch",
              "title": "Cannot launch",
              "status": 422,
              "detail": "vLLM cannot run this row: it keeps no replicas of all experts."
            }""";

    public static final String TOO_LARGE_TO_ANSWER = """
            {
              "type": "urn:throughput-optimizer:problem:too-large-to-answer",
              "title": "Too large to answer at once",
              "status": 422,
              "detail": "The search takes more than 3 s of processor time, the limit of an answer that is not kept. Save it as a job: send the same request without keep=none."
            }""";

    public static final String FAILED = """
            {
              "type": "urn:throughput-optimizer:problem:no-result",
              "title": "No result",
              "status": 409,
              "detail": "The optimization is failed: only a succeeded one has a result."
            }""";

    public static final String KEY_TAKEN = """
            {
              "type": "urn:throughput-optimizer:problem:idempotency-key-taken",
              "title": "Idempotency key taken",
              "status": 409,
              "detail": "The Idempotency-Key was used before with another request."
            }""";

    public static final String TOO_LARGE = """
            {
              "type": "urn:throughput-optimizer:problem:body-too-large",
              "title": "Request body too large",
              "status": 413,
              "detail": "The request body is longer than 1048576 bytes."
            }""";

    public static final String UNSUPPORTED = """
            {
              "type": "about:blank",
              "title": "Unsupported Media Type",
              "status": 415,
              "detail": "Content-Type application/x-www-form-urlencoded is not taken: one of application/json, application/yaml is needed."
            }""";

    public static final String QUEUE_FULL = """
            {
              "type": "urn:throughput-optimizer:problem:queue-full",
              "title": "Queue full",
              "status": 429,
              "detail": "Of the 100 optimizations that may wait 81 do, and 80 of them are this caller's, who may have at most 4 times as many as there are places left; try again later."
            }""";

    public static final String SEARCHES_BUSY = """
            {
              "type": "urn:throughput-optimizer:problem:searches-busy",
              "title": "Searches busy",
              "status": 429,
              "detail": "Too many searches wait whose answers are not kept, of this caller or of all; try again later, or leave out keep=none: a job waits in the queue."
            }""";

    public static final String SWEEPS_FULL = """
            {
              "type": "urn:throughput-optimizer:problem:queue-full",
              "title": "Queue full",
              "status": 429,
              "detail": "Of the 20 sweeps that may wait and run 17 do, and 16 of them are this caller's, who may have at most 4 times as many as there are places left; try again later."
            }""";

    public static final String KEY_NEEDED = """
            {
              "type": "urn:throughput-optimizer:problem:key-needed",
              "title": "Key needed",
              "status": 401,
              "detail": "This service asks for a key: send it as \\"Authorization: Bearer KEY\\". Whoever runs the service makes keys."
            }""";

    public static final String ROLE_NEEDED = """
            {
              "type": "urn:throughput-optimizer:problem:role-needed",
              "title": "Role needed",
              "status": 403,
              "detail": "This takes the role submit; ann has read."
            }""";

    public static final String RATE_LIMITED = """
            {
              "type": "urn:throughput-optimizer:problem:rate-limited",
              "title": "Rate limited",
              "status": 429,
              "detail": "The keys of this name send more requests than the service takes from one caller; try again later."
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
