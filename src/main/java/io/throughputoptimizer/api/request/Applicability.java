package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Requests that take a field, by its [Only] and [Refused] annotations.
public final class Applicability {
    private static final String PLACE = "{only}";

    private static final ClassValue<List<Applicability>> KNOWN = new ClassValue<>() {
        @Override
        protected List<Applicability> computeValue(Class<?> request) {
            List<Applicability> found = new ArrayList<>();
            collect(request, request, List.of(), found);
            return List.copyOf(found);
        }
    };

    private final Class<?> request;
    private final List<WireMember> path;
    private final String pointer;
    private final @Nullable Only only;
    private final List<Refused> refused;

    private Applicability(Class<?> request, List<WireMember> path) {
        this.request = request;
        this.path = path;
        this.pointer = path.stream().map(member -> member.under("")).collect(Collectors.joining());
        RecordComponent component = path.getLast().source();
        this.only = only(component).orElse(null);
        this.refused = List.of(component.getAnnotationsByType(Refused.class));
    }

    /// The members of a request that not every cost model and mode takes, in order.
    public static List<Applicability> of(Class<? extends Record> request) {
        return KNOWN.get(request);
    }

    private static void collect(Class<?> request, Class<?> type, List<WireMember> above, List<Applicability> found) {
        for (WireMember member : WireMember.components(type)) {
            List<WireMember> path =
                    Stream.concat(above.stream(), Stream.of(member)).toList();
            Applicability applicability = new Applicability(request, path);
            if (applicability.only != null || !applicability.refused.isEmpty()) {
                found.add(applicability);
            }
            collect(request, member.source().getType(), path, found);
        }
    }

    /// Returns the JSON pointer into the request.
    public String pointer() {
        return pointer;
    }

    /// The component that is this member.
    public RecordComponent component() {
        return path.getLast().source();
    }

    /// Returns whether a request takes the field.
    ///
    /// @param mode of a search; absent in requests about one deployment
    public boolean isTaken(CostModelName costModel, @Nullable Mode mode) {
        return (only == null || (fits(only.costModel(), costModel) && (mode == null || fits(only.mode(), mode))))
                && refused.stream().noneMatch(refusal -> applies(refusal, costModel, mode));
    }

    /// Members of a request that are given and do not belong there, or are needed and absent, with the reason.
    ///
    /// @param mode of a search; absent in requests about one deployment
    static List<Violation> broken(Record request, CostModelName costModel, @Nullable Mode mode) {
        return KNOWN.get(request.getClass()).stream()
                .flatMap(member -> member.refusals(member.valueIn(request), costModel, mode)
                        .map(message -> new Violation(member.pointer, message)))
                .toList();
    }

    private @Nullable Object valueIn(Record holder) {
        Record at = holder;
        for (WireMember step : path.subList(0, path.size() - 1)) {
            if (!(step.valueIn(at) instanceof Record below)) {
                return null;
            }
            at = below;
        }
        return at instanceof QuantizationRequest quantization && quantization.isFilledIn()
                ? null
                : path.getLast().valueIn(at);
    }

    private Stream<String> refusals(@Nullable Object value, CostModelName costModel, @Nullable Mode mode) {
        if (value == null) {
            return only == null || only.needed().isEmpty() || !isTaken(costModel, mode)
                    ? Stream.empty()
                    : Stream.of("is required: " + only.needed());
        }
        List<Refused> own = refused.stream()
                .filter(refusal -> applies(refusal, costModel, mode))
                .toList();
        return Stream.concat(
                own.stream()
                        .map(Refused::says)
                        .filter(words -> !words.equals(Refused.WITH_ITS_MODE) && !value.equals(false)),
                usual(own, costModel, mode).stream());
    }

    /// Returns the sentence of [Only], unless an annotation has its own.
    private Optional<String> usual(List<Refused> own, CostModelName costModel, @Nullable Mode mode) {
        if (only == null) {
            return Optional.empty();
        }
        if (!fits(only.costModel(), costModel)) {
            return own.stream().anyMatch(refusal -> refusal.mode().length == 0)
                    ? Optional.empty()
                    : Optional.of("requires cost_model " + names(only.costModel()) + besides(only, costModel, mode));
        }
        return mode == null || fits(only.mode(), mode) || own.stream().anyMatch(refusal -> refusal.mode().length > 0)
                ? Optional.empty()
                : Optional.of("requires mode " + names(only.mode()) + ", got " + WireFormat.name(mode)
                        + ". Remove it or change mode");
    }

    private static String besides(Only only, CostModelName costModel, @Nullable Mode mode) {
        if (only.instead().isEmpty()) {
            return (mode == null ? "" : ", got " + WireFormat.name(costModel)) + ". Remove it";
        }
        boolean otherwise = mode == null && !only.insteadOfOne().isEmpty();
        return ". Remove it. With " + WireFormat.name(costModel) + ", "
                + (otherwise ? only.insteadOfOne() : only.instead());
    }

    private boolean applies(Refused refusal, CostModelName costModel, @Nullable Mode mode) {
        return fits(refusal.in(), request)
                && fits(refusal.costModel(), costModel)
                && (refusal.mode().length == 0 || (mode != null && fits(refusal.mode(), mode)));
    }

    private static <T> boolean fits(T[] allowed, T value) {
        return allowed.length == 0 || Arrays.asList(allowed).contains(value);
    }

    /// Returns a description with the requirement of the field, or of the record, in place of `{only}`.
    ///
    /// @param element a component of a request, or its class
    public static String described(AnnotatedElement element, String description) {
        return description.contains(PLACE)
                ? description.replace(
                        PLACE, only(element).map(Applicability::requirement).orElseThrow())
                : description;
    }

    private static Optional<Only> only(AnnotatedElement element) {
        Only own = element.getAnnotation(Only.class);
        return own == null && element instanceof RecordComponent component
                ? Optional.ofNullable(component.getType().getAnnotation(Only.class))
                : Optional.ofNullable(own);
    }

    private static String requirement(Only only) {
        return Stream.of(values("cost_model", only.costModel()), values("mode", only.mode()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" and ", "Requires ", ""));
    }

    private static Optional<String> values(String field, Enum<?>[] taken) {
        return taken.length == 0
                ? Optional.empty()
                : Optional.of(Arrays.stream(taken)
                        .map(constant -> "`" + field + ": " + WireFormat.name(constant) + "`")
                        .collect(Collectors.joining(" or ")));
    }

    private static String names(Enum<?>[] constants) {
        return Arrays.stream(constants).map(WireFormat::name).collect(Collectors.joining(" and "));
    }
}
