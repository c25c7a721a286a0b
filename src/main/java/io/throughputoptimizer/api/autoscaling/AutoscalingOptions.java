package io.throughputoptimizer.api.autoscaling;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Options of autoscaler parameters.
///
/// @param name name of the objects and of the scaled Deployment; null for the name of the model
/// @param namespace namespace of the objects
/// @param rates request rates over time, by ascending start; empty for the demand of the plan
/// @param startS time until a new replica serves, in seconds
public record AutoscalingOptions(
        Set<Format> formats, @Nullable String name, String namespace, List<Rate> rates, double startS) {

    /// An autoscaler that reads files.
    public enum Format {
        KEDA("keda"),
        HPA("hpa"),
        WVA("wva"),
        LLM_D("llm-d"),
        DYNAMO("dynamo");

        private final String wireName;

        Format(String wireName) {
            this.wireName = wireName;
        }

        /// Returns the name in the API.
        public String wireName() {
            return wireName;
        }

        /// Returns the format of a name; empty if there is none.
        public static Optional<Format> of(String name) {
            return Stream.of(values())
                    .filter(format -> format.wireName.equals(name))
                    .findFirst();
        }
    }

    /// A request rate from a time on.
    ///
    /// @param fromSeconds start, in seconds from any origin
    public record Rate(double fromSeconds, double requestsPerS) {}
}
