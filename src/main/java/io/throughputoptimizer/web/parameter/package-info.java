/// What callers say beside the body: parameters and headers, read and described once.
@NullMarked
package io.throughputoptimizer.web.parameter;

import org.jspecify.annotations.NullMarked;
