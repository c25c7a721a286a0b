/// Logs of requests that were served, as gateways, tools and publishers write them.
@NullMarked
package io.throughputoptimizer.api.trace;

import org.jspecify.annotations.NullMarked;
