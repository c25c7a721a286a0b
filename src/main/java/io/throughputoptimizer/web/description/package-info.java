/// Description of the service's own API: the OpenAPI document, its examples, and shared responses.
@NullMarked
package io.throughputoptimizer.web.description;

import org.jspecify.annotations.NullMarked;
