package io.throughputoptimizer.web.frozen;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Questions of one kind, whose answers are frozen in a file: a line each, with a digest of its JSON and one of each
/// [View]. An area has seeds of its own, so that another can be added without a change of these.
///
/// @param file below `golden`
/// @param fills name of the view whose lines below a header show that an answer is not empty
/// @param leastFilled share of the questions that are served, and with such lines where they have that view
record FrozenArea(String name, String file, Masked masked, String fills, double leastFilled, List<Question> questions) {
    private static final String VALUES = "values";
    private static final String NEAREST = "nearest_feasible";

    /// Members of JSON that answers got after `frozen-answers.txt` was written.
    private static final List<String> ADDED_TO_FIRST = List.of(
            "assumptions", //
            "decode_sustained_requests_per_s",
            "devices_idle",
            "instances",
            "most",
            "prefill_sustained_requests_per_s",
            "simulated_steps",
            "sustained_requests_per_s",
            "warnings");

    /// The same of all areas, since the files below `frozen` were written. Explanations have a text of the name that
    /// rows have a list of.
    private static final List<String> ADDED = List.of(
            "cost_model(?=\":\"analytic)",
            "limited_by(?=\":\\[)",
            "limited_by_decode",
            "limited_by_prefill",
            "measure",
            "read_as");

    /// Masked fields of areas on measured devices, whose explanations count the steps of crowded ranks.
    private static final List<String> ADDED_TO_MEASURED =
            Stream.concat(Stream.of("simulated_steps"), ADDED.stream()).toList();

    static List<FrozenArea> all() {
        return Stream.of(
                        Stream.of(first()),
                        measured(),
                        analytic(),
                        Stream.of(
                                area("refusals", 0, RefusedQuestions.all()),
                                area("estimates", 0.75, 60, new EstimateQuestions(1)::next),
                                simulations(),
                                area("traces", 0.8, 10, new TraceQuestions(3)::next)))
                .flatMap(Function.identity())
                .toList();
    }

    private static FrozenArea first() {
        RandomQuestions questions = new RandomQuestions(12_2026);
        return new FrozenArea(
                "analytic",
                "frozen-answers.txt",
                Masked.asked(
                        Stream.concat(ADDED_TO_FIRST.stream(), ADDED.stream()).toList()),
                VALUES,
                0.35,
                Stream.generate(questions::next)
                        .limit(200)
                        .map(request -> request.replaceFirst("}$", Masked.BEYOND + "}"))
                        .map(request -> Question.search(request, View.REPORTS))
                        .toList());
    }

    private static Stream<FrozenArea> measured() {
        return Stream.of(
                area("measured-aggregation", 0.7, 50, new MeasuredQuestions(11)::aggregation),
                area("measured-percentiles", 0.6, 30, new MeasuredQuestions(12)::percentiles),
                area("measured-ratio", 0.6, 25, new MeasuredQuestions(13)::ratio),
                area("measured-pairs", 0.6, 30, new MeasuredQuestions(14)::pairs),
                area("measured-capacity", 0.5, 40, new MeasuredQuestions(15)::capacity),
                area("measured-explained", 0.4, 40, new MeasuredQuestions(16)::explained),
                nearest("measured-nearest", 15, new MeasuredQuestions(17)::hopeless));
    }

    private static Stream<FrozenArea> analytic() {
        return Stream.of(
                area("analytic-pairs", 0.6, 30, new AnalyticQuestions(21)::pairs),
                area("analytic-capacity", 0.6, 40, new AnalyticQuestions(22)::capacity),
                area("analytic-explained", 0.4, 35, new AnalyticQuestions(23)::explained),
                area("analytic-lists", 0.6, 35, new ListQuestions(24)::next),
                area("analytic-steady", 0.6, 30, new AnalyticQuestions(26)::steady),
                area("analytic-families", 0.6, 40, new AnalyticQuestions(25)::families),
                nearest("analytic-nearest", 15, new AnalyticQuestions(26)::hopeless));
    }

    private static FrozenArea simulations() {
        return new FrozenArea(
                "simulations",
                "frozen/simulations.txt",
                Masked.without(Stream.concat(Stream.of("e2e_latency_ms"), ADDED.stream())
                        .toList()),
                VALUES,
                0.7,
                Stream.generate(new SimulationQuestions(2)::next).limit(40).toList());
    }

    private static FrozenArea nearest(String name, int count, Supplier<Question> next) {
        return area(name, NEAREST, 0.6, Stream.generate(next).limit(count).toList());
    }

    private static FrozenArea area(String name, double leastFilled, int count, Supplier<Question> next) {
        return area(name, leastFilled, Stream.generate(next).limit(count).toList());
    }

    private static FrozenArea area(String name, double leastFilled, List<Question> questions) {
        return area(name, VALUES, leastFilled, questions);
    }

    private static FrozenArea area(String name, String fills, double leastFilled, List<Question> questions) {
        List<String> added = name.startsWith("measured") ? ADDED_TO_MEASURED : ADDED;
        return new FrozenArea(name, "frozen/" + name + ".txt", Masked.without(added), fills, leastFilled, questions);
    }

    /// Lines of the file, one a question.
    List<String> frozen() throws IOException {
        try (InputStream lines = FrozenArea.class.getResourceAsStream("/golden/" + file)) {
            return lines == null
                    ? List.of()
                    : new String(lines.readAllBytes(), UTF_8).lines().toList();
        }
    }

    /// What is otherwise than it was, by the number of the question and the look at its answer; absent when nothing is.
    @Nullable
    String difference(int number, String was, String is) {
        if (was.equals(is)) {
            return null;
        }
        Question question = questions.get(number);
        List<String> before = List.of(was.split(" "));
        List<String> now = List.of(is.split(" "));
        List<String> looks = Stream.concat(
                        Stream.of("json"), question.views().stream().map(View::name))
                .toList();
        String changed = IntStream.range(0, Math.max(before.size(), now.size()))
                .filter(look -> !digest(before, look).equals(digest(now, look)))
                .mapToObj(look -> looks.get(look) + " was " + digest(before, look) + " is " + digest(now, look))
                .collect(Collectors.joining(", "));
        return name + "/" + number + ": " + changed + "\n  " + question;
    }

    private static String digest(List<String> digests, int look) {
        return look < digests.size() ? digests.get(look) : "absent";
    }

    @Override
    public String toString() {
        return name;
    }
}
