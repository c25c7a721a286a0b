package io.throughputoptimizer.web.parameter;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Query parameters that an operation reads from the request itself.
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface TakesParameters {
    /// Returns the names of all parameters.
    String[] value();

    /// Returns the names of those that can be repeated.
    String[] lists() default {};
}
