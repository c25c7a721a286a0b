/// How members of requests come over the wire, whatever they say: one value or one a device, limits without end, and
/// what holds others that are judged too.
@NullMarked
package io.throughputoptimizer.api.wire;

import org.jspecify.annotations.NullMarked;
