package io.throughputoptimizer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.closeTo;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.restassured.response.ValidatableResponse;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When the requests of a trace came.
class TraceArrivalsIT extends HttpTest {
    private static final String VALUES = "text/csv";
    private static final String LINES = "application/x-ndjson";

    /// Of the whole seconds, one has two requests, one none, one four: mean 2, variance 8/3.
    @Test
    void ratesAndDispersionAreThoseByHand() {
        String lines = Stream.of(4000, 1000, 1999, 3000, 3001, 3500, 3999, 0)
                .map(time ->
                        "{\"timestamp\": " + time + ", \"input_length\": 5, \"output_length\": 6, \"hash_ids\": [1]}")
                .collect(Collectors.joining("\n"));

        post(lines, LINES, "")
                .body("arrivals.first_seconds", equalTo(0.0))
                .body("arrivals.span_seconds", equalTo(4.0))
                .body("arrivals.requests_per_s", equalTo(1.75))
                .body("arrivals.dispersion_of_seconds", closeTo(4.0 / 3, 1e-12))
                .body("arrivals.dispersion_of_minutes", nullValue())
                .body("arrivals.busiest_minute_requests", equalTo(8))
                .body("arrivals.hours", hasSize(1));
    }

    @Test
    void hoursHaveTheirRequests() {
        String lines = """
                TIMESTAMP,ContextTokens,GeneratedTokens
                2023-11-16 18:17:03.9799600,5,6
                2023-11-16 17:59:59.0000000,5,6
                2023-11-16 18:17:04.0000000,5,6
                2023-11-16 18:59:59.9999999,5,6
                2023-11-16 19:00:00.0000000,5,6
                """;

        post(lines, VALUES, "")
                .body("arrivals.first_seconds", equalTo(1_700_157_599.0))
                .body("arrivals.span_seconds", equalTo(3601.0))
                .body("arrivals.hours.from_seconds", contains(1_700_154_000, 1_700_157_600, 1_700_161_200))
                .body("arrivals.hours.requests", contains(1, 3, 1))
                .body("arrivals.hours[1].requests_per_s", closeTo(3.0 / 3600, 1e-15))
                .body("arrivals.hours[0].requests_per_s", nullValue())
                .body("arrivals.peak_hour_requests_per_s", closeTo(3.0 / 3600, 1e-15))
                .body("arrivals.busiest_minute_requests", equalTo(2));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            text/csv             |                                          | Timestamp,Request tokens,Response tokens;10.5,5,6;12,5,6          | 10.5         | 1.5
            text/csv             |                                          | timestamp,input_tokens,output_tokens;2026-01-05T09:00:00+01:00,5,6;2026-01-05T08:00:02Z,5,6 | 1767600000 | 2
            text/csv             | ?timestamp_column=at&timestamp_unit=ms   | at,input_tokens,output_tokens;-500,5,6;1500,5,6                    | -0.5         | 2
            application/x-ndjson |                                          | {"created": 1767600000, "usage": {"prompt_tokens": 5, "completion_tokens": 6}};{"created": 1767600003, "usage": {"prompt_tokens": 5, "completion_tokens": 6}} | 1767600000 | 3
            application/x-ndjson | ?timestamp_column=a.t                    | {"a": {"t": "2026-01-05 08:00:00"}, "input_tokens": 5, "output_tokens": 6};{"a": {"t": "2026-01-05 08:00:01.500"}, "input_tokens": 5, "output_tokens": 6} | 1767600000 | 1.5
            """)
    void timesAreReadAsTheirPublisherSpellsThem(String type, String query, String trace, double first, double span) {
        post(trace.replace(';', '\n'), type, query == null ? "" : query)
                .body("arrivals.first_seconds", equalTo(first))
                .body("arrivals.span_seconds", equalTo(span));
    }

    /// A number that is no date may be of any unit.
    @ParameterizedTest
    @CsvSource({"'1,5,6\n2,5,6'", "'2026-01-05T09:00:00,5,6\n,5,6'"})
    void timesThatNobodyKnowsArePassedOver(String lines) {
        post("timestamp,input_tokens,output_tokens\n" + lines, VALUES, "").body("arrivals", nullValue());
        post("5,6\n5,6", VALUES, "").body("arrivals", nullValue());
    }

    @Test
    void aTimeThatIsAskedForIsNeeded() {
        api().contentType(VALUES)
                .body("at,input_tokens,output_tokens\n1,5,6\nsoon,5,6".getBytes(UTF_8))
                .post(TraceController.PATH + "?timestamp_column=at&timestamp_unit=s")
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("line 3 must have a number as at, got \"soon\""));
        for (String query : new String[] {"?timestamp_unit=s", "?timestamp_column=at&timestamp_unit=h"}) {
            api().contentType(VALUES)
                    .body("5,6".getBytes(UTF_8))
                    .post(TraceController.PATH + query)
                    .then()
                    .statusCode(400)
                    .body("errors[0].parameter", equalTo("timestamp_unit"));
        }
    }

    @Test
    void arrivalsAreShownAsText() {
        api().contentType(VALUES)
                .accept("text/plain")
                .body("Timestamp,Request tokens,Response tokens\n0,5,6\n4,5,6\n".getBytes(UTF_8))
                .post(TraceController.PATH)
                .then()
                .statusCode(200)
                .body(containsString("Arrivals over 4"), containsString("requests per second"));
    }

    private ValidatableResponse post(String trace, String contentType, String query) {
        return api().contentType(contentType)
                .body(trace.getBytes(UTF_8))
                .post(TraceController.PATH + query)
                .then()
                .statusCode(200);
    }
}
