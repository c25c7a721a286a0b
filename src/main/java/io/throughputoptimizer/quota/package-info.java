/// Quotas of callers: places that callers share, and of which no caller takes all.
@NullMarked
package io.throughputoptimizer.quota;

import org.jspecify.annotations.NullMarked;
