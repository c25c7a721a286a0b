package io.throughputoptimizer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.RawHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// A proxy before the service and the service agree on where a request ends: what could be read in two ways is refused
/// and its connection closed, so that nothing of it is answered as a request of the next caller.
class SmuggledRequestIT extends HttpTest {
    private static final String NEXT = "GET /api/v1/capabilities HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String POST =
            "POST /api/v1/estimates HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 \\d{3}");

    @LocalServerPort
    private int port;

    static Stream<Arguments> requests() {
        String end = "0\r\n\r\n";
        return Stream.of(
                Arguments.of(
                        "a length and chunks", POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + end),
                Arguments.of(
                        "chunks and a length", POST + "Transfer-Encoding: chunked\r\nContent-Length: 80\r\n\r\n" + end),
                Arguments.of("two lengths", POST + "Content-Length: 0\r\nContent-Length: 72\r\n\r\n"),
                Arguments.of("the same length twice", POST + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n"),
                Arguments.of("lengths in a list", POST + "Content-Length: 0, 72\r\n\r\n"),
                Arguments.of("a length with a sign", POST + "Content-Length: +0\r\n\r\n"),
                Arguments.of("a length in hexadecimal digits", POST + "Content-Length: 0x0\r\n\r\n"),
                Arguments.of("a length beyond all numbers", POST + "Content-Length: 99999999999999999999\r\n\r\n"),
                Arguments.of("a length below 0", POST + "Content-Length: -1\r\n\r\n"),
                Arguments.of("an empty length", POST + "Content-Length:\r\n\r\n"),
                Arguments.of("a blank before the colon", POST + "Transfer-Encoding : chunked\r\n\r\n" + end),
                Arguments.of("a length with a blank before the colon", POST + "Content-Length : 72\r\n\r\n"),
                Arguments.of("a folded header", POST + "Transfer-Encoding:\r\n chunked\r\n\r\n" + end),
                Arguments.of("a folded length", POST + "Content-Length:\r\n\t0\r\n\r\n"),
                Arguments.of(
                        "a folded first header", "POST / HTTP/1.1\r\n Content-Length: 72\r\nHost: localhost\r\n\r\n"),
                Arguments.of("an unknown coding", POST + "Transfer-Encoding: xchunked\r\n\r\n" + end),
                Arguments.of("chunks that are not last", POST + "Transfer-Encoding: chunked, identity\r\n\r\n" + end),
                Arguments.of("chunks twice", POST + "Transfer-Encoding: chunked, chunked\r\n\r\n" + end),
                Arguments.of(
                        "two codings",
                        POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + end),
                Arguments.of("a coding in quotes", POST + "Transfer-Encoding: \"chunked\"\r\n\r\n" + end),
                Arguments.of(
                        "a coding after a control character", POST + "Transfer-Encoding: \u000bchunked\r\n\r\n" + end),
                Arguments.of("a name with a NUL", POST + "Transfer-Encoding\u0000: chunked\r\n\r\n" + end),
                Arguments.of("a header without a name", POST + ": chunked\r\n\r\n"),
                Arguments.of("a chunk that is none", POST + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"),
                Arguments.of("a chunk with a sign", POST + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + end),
                Arguments.of("a chunk in 0x", POST + "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n"),
                Arguments.of("a chunk longer than said", POST + "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n" + end),
                Arguments.of(
                        "a chunk that ends in a line feed", POST + "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n"),
                Arguments.of(
                        "a trailer that is a length",
                        POST + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length\u0001: 72\r\n\r\n"),
                Arguments.of("a carriage return in a header", POST + "X: a\rContent-Length: 72\r\n\r\n"),
                Arguments.of("a method of two words", "GET /x HTTP/1.1 /y HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void whatCouldBeReadInTwoWaysIsRefusedAndEndsItsConnection(String what, String request) throws IOException {
        String heard = RawExchange.everything(port, request + NEXT);

        assertThat(heard).as(what).containsPattern("^HTTP/1\\.1 (400|501|505) ");
        assertThat(STATUS.matcher(heard).results()).as(what + ": " + heard).hasSize(1);
        assertThat(heard).containsIgnoringCase("connection: close");
    }

    /// RFC 9112 lets a reader take them; they end where everybody thinks they end.
    @ParameterizedTest
    @ValueSource(strings = {"2;a=b\r\n{}\r\n0;c\r\n\r\n", "2;a=\"b\"\r\n{}\r\n0\r\n\r\n", "02\r\n{}\r\n00\r\n\r\n"})
    void oddChunksEndWhereTheyEnd(String chunks) throws IOException {
        String heard = RawExchange.everything(
                port,
                "GET /api/v1/capabilities HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
                        + NEXT);

        assertThat(STATUS.matcher(heard).results().map(status -> status.group().substring(9)))
                .as(heard)
                .containsExactly("200", "200");
    }

    /// Lines that end without a carriage return, which Tomcat takes as RFC 9112 allows, hide nothing: the blank
    /// line ends the headers for whoever reads them.
    @Test
    void bareLineFeedsEndLinesOrAreRefused() throws IOException {
        String heard = RawExchange.everything(
                port, "GET /api/v1/capabilities HTTP/1.1\nHost: localhost\nConnection: close\n\n" + NEXT);

        assertThat(STATUS.matcher(heard).results()).hasSize(1);
    }

    @Test
    void chunkExtensionsAreBounded() throws IOException {
        String heard = RawExchange.everything(
                port,
                POST + "Transfer-Encoding: chunked\r\n\r\n2;" + "a".repeat(100_000) + "\r\n{}\r\n0\r\n\r\n" + NEXT);

        assertThat(STATUS.matcher(heard).results()).hasSizeLessThan(2);
        assertThat(heard).doesNotContain("HTTP/1.1 200");
    }

    /// Many ranges, or such that overlap, ask for more than there is.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/index.html",
                "/dashboard/main.js",
                "/vendor/uplot/uPlot.esm.js",
                "/swagger-ui/swagger-ui-bundle.js"
            })
    void rangesOfAFileAreNeverMuchLongerThanIt(String path) throws IOException {
        int length = get(path, "0-").body().getBytes(UTF_8).length;
        for (String ranges : new String[] {
            many("%d-%d", 100),
            many("%d-%d", 1_000),
            many("0-", 100),
            many("0-", 1_300),
            many("-1", 1_000),
            many("0-0", 1_000)
        }) {
            RawHttp.Answer answer = get(path, ranges);

            assertThat(answer.status()).as(path + " " + answer.head()).isIn(200, 206, 400, 416);
            assertThat(answer.body().length()).as(path + " " + ranges).isLessThan(length + 20_000);
        }
    }

    private static String many(String form, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> form.formatted(2 * i, 2 * i))
                .collect(Collectors.joining(","));
    }

    private RawHttp.Answer get(String path, String ranges) throws IOException {
        return new RawHttp(port, Duration.ofMinutes(5))
                .send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nRange: bytes=" + ranges
                        + "\r\n\r\n");
    }
}
