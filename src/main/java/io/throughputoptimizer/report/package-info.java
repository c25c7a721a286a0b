/// Reports of a result: tables, CSV and curves.
@NullMarked
package io.throughputoptimizer.report;

import org.jspecify.annotations.NullMarked;
