package io.throughputoptimizer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// The range of a setting that is a size in bytes; both ends belong to it.
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface SizeRange {
    /// As in `1MB`.
    String min();

    /// As in `1MB`.
    String max();
}
