/// Plans of portfolios, as they are sent.
@NullMarked
package io.throughputoptimizer.api.result.portfolio;

import org.jspecify.annotations.NullMarked;
