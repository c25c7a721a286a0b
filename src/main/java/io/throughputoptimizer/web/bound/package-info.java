/// Limits of a request: its body, threads that callers share, and hosts that it may name.
@NullMarked
package io.throughputoptimizer.web.bound;

import org.jspecify.annotations.NullMarked;
