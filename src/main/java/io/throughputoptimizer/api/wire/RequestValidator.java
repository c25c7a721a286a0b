package io.throughputoptimizer.api.wire;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Violation;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.validation.TraversableResolver;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import java.lang.annotation.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Judges a request by the constraints on its records and by the rules of each [Composite].
///
/// Lists that are too long are reported alone, without checks of their elements or any other rule. Otherwise the
/// records are judged one by one, in the order of their members, and no further once there is more to say than a
/// [Problem] lists: a validator left to itself collects every violation of the whole request in one hash set,
/// where those of equal elements collide.
public final class RequestValidator {
    private static final int MOST_TOGETHER = 100;

    private final Validator validator;

    public RequestValidator(ValidatorFactory factory) {
        this.validator =
                factory.usingContext().traversableResolver(new OneRecord()).getValidator();
    }

    /// Keeps the validator to the members of one record, its lists left out: those are judged piece by piece.
    private static final class OneRecord implements TraversableResolver {
        private static final ClassValue<Set<String>> LISTS = new ClassValue<>() {
            @Override
            protected Set<String> computeValue(Class<?> type) {
                return WireMember.components(type).stream()
                        .filter(WireMember::isList)
                        .map(WireMember::component)
                        .collect(Collectors.toUnmodifiableSet());
            }
        };

        @Override
        public boolean isReachable(
                Object holder, Path.Node member, Class<?> root, Path pathToHolder, ElementType elementType) {
            return holder == null || !LISTS.get(holder.getClass()).contains(member.getName());
        }

        @Override
        public boolean isCascadable(
                Object holder, Path.Node member, Class<?> root, Path pathToHolder, ElementType elementType) {
            return false;
        }
    }

    /// @throws InvalidRequestException with the broken rules, if any
    public void check(Record request) {
        List<Violation> broken = new ArrayList<>();
        findLongLists("", request, broken);
        if (broken.isEmpty()) {
            judge("", request, broken);
        }
        if (!broken.isEmpty()) {
            throw new InvalidRequestException(broken);
        }
    }

    private static void findLongLists(String pointer, Record holder, List<Violation> broken) {
        for (WireMember member : WireMember.components(holder.getClass())) {
            String place = member.under(pointer);
            switch (member.valueIn(holder)) {
                case List<?> list
                when list.size() > member.longest() ->
                    broken.add(new Violation(
                            place, "has " + list.size() + " elements: at most " + member.longest() + " are allowed"));
                case List<?> list -> {
                    for (int index = 0; index < list.size(); index++) {
                        if (list.get(index) instanceof Record element) {
                            findLongLists(place + "/" + index, element, broken);
                        }
                    }
                }
                case Record part -> findLongLists(place, part, broken);
                case null, default -> {}
            }
        }
    }

    private void judge(String pointer, Record holder, List<Violation> broken) {
        boolean judgedElsewhere = !(holder instanceof Composite)
                && !validator.getConstraintsForClass(holder.getClass()).isBeanConstrained();
        if (judgedElsewhere) {
            return;
        }
        add(pointer, 0, validator.validate(holder), broken);
        if (holder instanceof Composite composite) {
            composite.inconsistencies().forEach(violation -> broken.add(violation.under(pointer)));
        }
        for (WireMember member : WireMember.components(holder.getClass())) {
            switch (member.valueIn(holder)) {
                case List<?> list -> judgeList(pointer, holder, member, list, broken);
                case Record part -> judge(member.under(pointer), part, broken);
                case null, default -> {}
            }
        }
    }

    private void judgeList(String pointer, Record holder, WireMember member, List<?> list, List<Violation> broken) {
        for (int from = 0; from == 0 || from < list.size(); from += MOST_TOGETHER) {
            if (broken.size() > Problem.MOST_ERRORS) {
                return;
            }
            List<?> piece = list.subList(from, Math.min(list.size(), from + MOST_TOGETHER));
            var violations = validator.validateValue(holder.getClass(), member.component(), piece);
            if (member.isPlain(list)) {
                violations.forEach(
                        violation -> broken.add(new Violation(pointer + "/" + member.name(), violation.getMessage())));
            } else {
                add(pointer, from, violations, broken);
            }
            for (int index = 0; index < piece.size(); index++) {
                if (piece.get(index) instanceof Record element && broken.size() <= Problem.MOST_ERRORS) {
                    judge(pointer + "/" + member.name() + "/" + (from + index), element, broken);
                }
            }
        }
    }

    private static void add(
            String pointer, int firstIndex, Set<? extends ConstraintViolation<?>> violations, List<Violation> broken) {
        for (ConstraintViolation<?> violation : violations) {
            broken.add(
                    new Violation(pointer + pointer(violation.getPropertyPath(), firstIndex), violation.getMessage()));
        }
    }

    private static String pointer(Path path, int firstIndex) {
        StringBuilder pointer = new StringBuilder();
        for (Path.Node node : path) {
            if (node.isInIterable()) {
                pointer.append('/').append(firstIndex + node.getIndex());
            }
            if (node.getKind() == ElementKind.PROPERTY) {
                pointer.append('/').append(WireFormat.memberName(node.getName()));
            }
        }
        return pointer.toString();
    }
}
