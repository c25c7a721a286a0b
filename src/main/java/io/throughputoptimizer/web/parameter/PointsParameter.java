package io.throughputoptimizer.web.parameter;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.BriefResult;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes the parameter `points`.
@Parameter(description = PointsParameter.DESCRIPTION, schema = @Schema(type = "boolean", defaultValue = "false"))
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface PointsParameter {
    String DESCRIPTION = "Whether the JSON of the result has all of it, which may be megabytes. Without it phases"
            + " lack the probes and explanations the frontier's points that pictures are made of, rows of mode `capacity` the"
            + " `composition` of their batches, and of each table the first " + BriefResult.ROWS
            + " rows are sent, with"
            + " `rows_left_out`.";
}
