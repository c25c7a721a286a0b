/// Jobs as callers see them.
@NullMarked
package io.throughputoptimizer.api.job;

import org.jspecify.annotations.NullMarked;
