package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes the parameter `points`.
@Parameter(description = JobLookup.POINTS, schema = @Schema(type = "boolean", defaultValue = "false"))
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@interface PointsParameter {}
