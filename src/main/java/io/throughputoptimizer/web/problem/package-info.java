/// Errors as RFC 9457 problems, with their messages.
@NullMarked
package io.throughputoptimizer.web.problem;

import org.jspecify.annotations.NullMarked;
