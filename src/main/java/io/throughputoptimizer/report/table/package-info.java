/// Tables, records and sections, and the columns that they are made of, as text and as comma-separated values.
@NullMarked
package io.throughputoptimizer.report.table;

import org.jspecify.annotations.NullMarked;
