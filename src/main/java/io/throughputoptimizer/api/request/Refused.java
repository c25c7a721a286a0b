package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Where a member of a request is refused in words of its own: instead of those of [Only] about the mode where this
/// names modes, else instead of those about the cost model.
@Documented
@Repeatable(Refused.All.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Refused {
    /// Nothing is said of the member where the mode itself is refused.
    String WITH_ITS_MODE = "";

    /// Requests that refuse it; none for all.
    Class<? extends Record>[] in() default {};

    /// Cost models that refuse it; none for all.
    CostModelName[] costModel() default {};

    /// Modes that refuse it; none for all, and for requests that have no mode.
    Mode[] mode() default {};

    /// The whole message.
    String says();

    /// Several of them.
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface All {
        Refused[] value();
    }
}
