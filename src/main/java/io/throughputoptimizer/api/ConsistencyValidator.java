package io.throughputoptimizer.api;

import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import java.util.List;
import org.hibernate.validator.constraintvalidation.HibernateConstraintValidatorContext;

/// Reports each broken rule of a [Composite] as a constraint violation of its own.
///
/// The [Violation] travels as dynamic payload: unlike a property path its pointer may end at a list element
/// or at a member that is not there. It is part of the message too, because violations with equal messages at
/// the same object count as one.
final class ConsistencyValidator implements ConstraintValidator<Consistent, Composite> {
    private static final String RULE = "rule";

    @Override
    public boolean isValid(Composite value, ConstraintValidatorContext context) {
        List<Violation> violations = value.inconsistencies();
        HibernateConstraintValidatorContext reports = context.unwrap(HibernateConstraintValidatorContext.class);
        reports.disableDefaultConstraintViolation();
        for (Violation violation : violations) {
            reports.withDynamicPayload(violation)
                    .addMessageParameter(RULE, violation)
                    .buildConstraintViolationWithTemplate("{" + RULE + "}")
                    .addConstraintViolation();
        }
        return violations.isEmpty();
    }
}
