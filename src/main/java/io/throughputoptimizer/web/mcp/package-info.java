/// Tools, prompts and pages for agents: their table, requests and results.
@NullMarked
package io.throughputoptimizer.web.mcp;

import org.jspecify.annotations.NullMarked;
