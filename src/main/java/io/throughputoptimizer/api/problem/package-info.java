/// Problems of requests and jobs.
@NullMarked
package io.throughputoptimizer.api.problem;

import org.jspecify.annotations.NullMarked;
