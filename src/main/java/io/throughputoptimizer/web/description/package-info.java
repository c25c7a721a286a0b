/// What the service says about its own API: the OpenAPI document, its examples, and what several operations answer.
@NullMarked
package io.throughputoptimizer.web.description;

import org.jspecify.annotations.NullMarked;
