/// What the catalogue has: models and what is priced of them, engines, strategies, and how far off measured servers
/// are.
@NullMarked
package io.throughputoptimizer.api.result.catalog;

import org.jspecify.annotations.NullMarked;
