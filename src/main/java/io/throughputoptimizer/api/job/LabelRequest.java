package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/// A new name and star of a job. Absent fields stay unchanged.
@Schema(name = "LabelRequest", description = "How an optimization is to be called and marked. What is absent stays.")
public record LabelRequest(
        @Schema(
                description = "What it is called, without blanks around it; an empty text takes the name back.",
                example = "chat, 2027")
        @Size(max = LabelRequest.LONGEST_NAME, message = "{request.name.length}")
        @Pattern(regexp = LabelRequest.WRITTEN, message = "{request.label}")
        @Nullable
        String name,

        @Schema(
                description = "Whether it is marked with a star: then its age is no reason to forget it, and for their"
                        + " number a caller's other optimizations are forgotten first.",
                example = "true")
        @Nullable
        Boolean starred) {
    static final int LONGEST_NAME = 200;

    /// Without what moves a cursor or the direction of reading, and line ends.
    static final String WRITTEN =
            "^[^\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]*$";

    public LabelRequest {
        name = name == null ? null : name.strip();
    }
}
