/// Wire formats of request fields: one value or one per device, limits without end, and objects that are validated
/// recursively.
@NullMarked
package io.throughputoptimizer.api.wire;

import org.jspecify.annotations.NullMarked;
