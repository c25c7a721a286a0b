/// What people read of a result: tables, comma-separated values and curves.
@NullMarked
package io.throughputoptimizer.report;

import org.jspecify.annotations.NullMarked;
