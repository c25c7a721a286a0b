package io.throughputoptimizer.api;

import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import java.util.List;
import org.hibernate.validator.constraintvalidation.HibernateConstraintValidatorContext;

/// Reports each broken rule of a [Composite] as a constraint violation of its own.
///
/// The [Violation] travels as dynamic payload: unlike a property path its pointer may end at a list element
/// or at a member that is not there, and unlike a message template its text may quote the request.
final class ConsistencyValidator implements ConstraintValidator<Consistent, Composite> {

    @Override
    public boolean isValid(Composite value, ConstraintValidatorContext context) {
        List<Violation> violations = value.inconsistencies();
        HibernateConstraintValidatorContext reports = context.unwrap(HibernateConstraintValidatorContext.class);
        reports.disableDefaultConstraintViolation();
        for (Violation violation : violations) {
            reports.withDynamicPayload(violation)
                    .buildConstraintViolationWithTemplate(context.getDefaultConstraintMessageTemplate())
                    .addConstraintViolation();
        }
        return violations.isEmpty();
    }
}
