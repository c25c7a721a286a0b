/// The HTTP API: controllers translate the request and package the answer.
@NullMarked
package io.throughputoptimizer.web;

import org.jspecify.annotations.NullMarked;
