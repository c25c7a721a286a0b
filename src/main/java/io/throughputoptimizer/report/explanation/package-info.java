/// What tables say about why, and about what would help.
@NullMarked
package io.throughputoptimizer.report.explanation;

import org.jspecify.annotations.NullMarked;
