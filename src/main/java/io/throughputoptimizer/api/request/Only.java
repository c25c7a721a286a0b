package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A member of a request that belongs to one cost model or one mode, or every member that is such a record.
/// Elsewhere the service rejects it. `{only}` in its description becomes "Requires `cost_model: calibrated`" or
/// the like ([Applicability#described]). The dashboard's form shows it where it belongs.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.TYPE})
public @interface Only {
    /// The cost model that takes it; none for any.
    CostModelName[] costModel() default {};

    /// The mode that takes it; none for any.
    Mode[] mode() default {};

    /// Reason why the other cost model has no such field, or its equivalent there.
    String instead() default "";

    /// The sentence for requests about one deployment; empty for the same one.
    String insteadOfOne() default "";

    /// Reason why the field is required; empty if it is optional.
    String needed() default "";
}
