/// Start-up logs of vLLM and SGLang, as settings and figures of memory.
@NullMarked
package io.throughputoptimizer.api.enginelog;

import org.jspecify.annotations.NullMarked;
