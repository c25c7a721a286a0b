/// Quotas of places and bytes among callers, none of whom can take all.
@NullMarked
package io.throughputoptimizer.share;

import org.jspecify.annotations.NullMarked;
