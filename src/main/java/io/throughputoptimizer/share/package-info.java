/// What callers share: places and bytes, of which no caller takes all.
@NullMarked
package io.throughputoptimizer.share;

import org.jspecify.annotations.NullMarked;
