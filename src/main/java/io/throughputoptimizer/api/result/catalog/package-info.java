/// The catalog: models and their support, engines, and errors against measured servers.
@NullMarked
package io.throughputoptimizer.api.result.catalog;

import org.jspecify.annotations.NullMarked;
