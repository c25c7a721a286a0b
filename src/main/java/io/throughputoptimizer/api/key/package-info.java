/// Keys of callers, as documents.
@NullMarked
package io.throughputoptimizer.api.key;

import org.jspecify.annotations.NullMarked;
