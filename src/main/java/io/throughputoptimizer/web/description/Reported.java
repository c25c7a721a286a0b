package io.throughputoptimizer.web.description;

import io.throughputoptimizer.report.ReportFormat;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.springframework.http.MediaType;

/// An operation that answers JSON, or to callers who prefer one a report in any [ReportFormat].
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Reported {
    /// Media types of such operations.
    final class Types {
        private Types() {}

        public static String[] all() {
            return Stream.concat(
                            Stream.of(MediaType.APPLICATION_JSON_VALUE),
                            Stream.of(ReportFormat.values()).map(ReportFormat::mediaType))
                    .toArray(String[]::new);
        }
    }
}
