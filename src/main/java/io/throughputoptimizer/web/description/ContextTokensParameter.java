package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes the parameter `context_tokens` of calls that ask for commands.
@Parameter(
        name = "context_tokens",
        description = "Tokens of the longest request that servers take, its answer included, or `longest` for the"
                + " longest that fits; those of the optimization's longest and some more unless given.",
        schema = @Schema(type = "string", pattern = "longest|[0-9]+"))
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface ContextTokensParameter {}
