/// Requests for one stock of devices that many services share.
@NullMarked
package io.throughputoptimizer.api.portfolio;

import org.jspecify.annotations.NullMarked;
