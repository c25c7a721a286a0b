package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior.Measured;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.PassSplit;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw.Batch;
import io.throughputoptimizer.core.load.SteadyLaw.Times;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The cases of `feedback/vectors.json`: servers, rows that were measured of them, and what they teach.
final class FeedbackVectors {
    private FeedbackVectors() {}

    static List<Case> cases() {
        try (InputStream stream =
                Objects.requireNonNull(FeedbackVectors.class.getResourceAsStream("/feedback/vectors.json"))) {
            return JsonMapper.shared()
                    .readTree(stream)
                    .required("cases")
                    .valueStream()
                    .map(Case::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    record Case(JsonNode json) {
        List<Modelled> observed() {
            return json.at("/model/observed").valueStream().map(Modelled::new).toList();
        }

        List<Modelled> wanted() {
            return json.at("/model/wanted").valueStream().map(Modelled::new).toList();
        }

        List<JsonNode> expected() {
            return json.required("expected").valueStream().toList();
        }

        CalibrationPosterior learnt() {
            return CalibrationPosterior.of(
                    Prior.FITTED, observed().stream().map(Modelled::measured).toList());
        }

        @Override
        public String toString() {
            return json.required("name").stringValue();
        }
    }

    /// What the model says of a row.
    record Modelled(JsonNode json) {
        private double number(String member) {
            return json.required(member).doubleValue();
        }

        private PassSplit split(String member) {
            JsonNode parts = json.required(member);
            double others = parts.get(0).doubleValue();
            double collectives = parts.get(1).doubleValue();
            double experts = parts.get(2).doubleValue();
            return new PassSplit(others + collectives + experts, collectives, experts);
        }

        private EngineSettings engine() {
            return new EngineSettings(
                    new Scheduling(Policy.MIXED, 8192), json.required("poll").intValue(), number("frontend"), 0);
        }

        ParallelLayout layout() {
            int[] sizes = Arrays.stream(json.required("layout").stringValue().split(" "))
                    .mapToInt(size -> Integer.parseInt(size.substring(2)))
                    .toArray();
            return json.required("moe").booleanValue()
                    ? new ParallelLayout(
                            sizes[0], 1, sizes[1], new ExpertLayout(sizes[2], sizes[0] * sizes[1] / sizes[2], 1))
                    : ParallelLayout.dense(sizes[0], sizes[1]);
        }

        Configuration configuration() {
            return new Configuration(
                    layout(),
                    json.required("moe").booleanValue(),
                    new Configuration.Load(
                            number("B"), new Batch(number("b")), number("isl"), number("osl"), number("waves")),
                    split("decode"),
                    split("prefill"),
                    engine(),
                    json.required("capacity").booleanValue());
        }

        Measured measured() {
            return new Measured(configuration(), orAbsent("tpot"), orAbsent("ttft"));
        }

        private @Nullable Double orAbsent(String member) {
            return json.path(member).isNumber() ? (Double) number(member) : null;
        }

        SteadyFigures figures() {
            return new Times(split("prefill").millis(), 1, split("decode").millis(), number("osl"))
                    .figures(number("B"), number("b"), number("waves"), engine());
        }

        Prediction predict(CalibrationPosterior learnt) {
            SteadyFigures corrected = learnt.correct(configuration(), figures());
            Bands model = new Bands(Coverage.NINE_TENTHS, flags(), basis(0), basis(1));
            return new Prediction(corrected, learnt.bands(model, corrected, layout()), 1);
        }

        private Set<Flag> flags() {
            Set<Flag> flags = EnumSet.noneOf(Flag.class);
            json.required("flags")
                    .valueStream()
                    .forEach(flag -> flags.add(Flag.valueOf(flag.stringValue().toUpperCase(Locale.ROOT))));
            return flags;
        }

        private BandBasis basis(int metric) {
            return BandBasis.valueOf(json.required("basis")
                    .get(metric)
                    .stringValue()
                    .toUpperCase(Locale.ROOT)
                    .replace('/', '_'));
        }
    }
}
