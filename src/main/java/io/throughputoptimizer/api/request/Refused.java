package io.throughputoptimizer.api.request;

import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Rejection of a field with its own sentence, in place of the sentence of [Only]: about the mode if it names
/// modes, else about the cost model.
@Documented
@Repeatable(Refused.All.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Refused {
    /// No sentence about the field, because the mode itself is rejected.
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
