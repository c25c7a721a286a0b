package io.throughputoptimizer.web.description;

import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Describes the parameter `engine` of calls that ask for commands.
@Parameter(
        description = "The engine that the commands start. Default: `engine.backend` of the request, which cost model"
                + " `analytic` does not have.",
        example = "vllm",
        schema =
                @Schema(
                        type = "string",
                        allowableValues = {"vllm", "vllm-ascend", "sglang", "trtllm", "mindie"}))
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface EngineParameter {}
