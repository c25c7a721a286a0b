package io.throughputoptimizer;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/// The range of a setting that is a size in bytes; both ends belong to it.
@Constraint(validatedBy = SizeRange.Validator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface SizeRange {
    /// As in `1MB`.
    String min();

    /// As in `1MB`.
    String max();

    String message() default "must be a size from {min} to {max}";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /// Compares sizes.
    final class Validator implements ConstraintValidator<SizeRange, DataSize> {
        private DataSize least = DataSize.ofBytes(0);
        private DataSize most = DataSize.ofBytes(0);

        @Override
        public void initialize(SizeRange range) {
            least = DataSize.parse(range.min());
            most = DataSize.parse(range.max());
        }

        @Override
        public boolean isValid(@Nullable DataSize size, ConstraintValidatorContext context) {
            return size == null || (size.compareTo(least) >= 0 && size.compareTo(most) <= 0);
        }
    }
}
