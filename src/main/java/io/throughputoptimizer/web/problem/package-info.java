/// How refusals and failures are told: RFC 9457 problems with the words that callers read.
@NullMarked
package io.throughputoptimizer.web.problem;

import org.jspecify.annotations.NullMarked;
