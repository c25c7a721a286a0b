/// Parameters and headers of requests, read and described once.
@NullMarked
package io.throughputoptimizer.web.parameter;

import org.jspecify.annotations.NullMarked;
