package io.throughputoptimizer.api;

import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path;
import jakarta.validation.Validator;
import java.util.List;
import org.hibernate.validator.engine.HibernateConstraintViolation;

/// Judges a request by the constraints on its records.
public final class RequestValidator {
    private final Validator validator;

    public RequestValidator(Validator validator) {
        this.validator = validator;
    }

    /// @throws InvalidRequestException with all broken rules, if any
    public void check(Object request) {
        List<Violation> violations = validator.validate(request).stream()
                .map(RequestValidator::violation)
                .toList();
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
    }

    private static Violation violation(ConstraintViolation<?> broken) {
        String pointer = pointer(broken.getPropertyPath());
        HibernateConstraintViolation<?> detailed = broken.unwrap(HibernateConstraintViolation.class);
        Violation composed = detailed.getDynamicPayload(Violation.class);
        return composed == null ? new Violation(pointer, broken.getMessage()) : composed.under(pointer);
    }

    private static String pointer(Path path) {
        StringBuilder pointer = new StringBuilder();
        for (Path.Node node : path) {
            if (node.isInIterable()) {
                pointer.append('/').append(node.getIndex());
            }
            if (node.getKind() == ElementKind.PROPERTY) {
                pointer.append('/').append(WireFormat.memberName(node.getName()));
            }
        }
        return pointer.toString();
    }
}
