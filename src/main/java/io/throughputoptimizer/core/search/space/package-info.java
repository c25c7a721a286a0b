/// What a search chooses from: layouts, batch tokens, quantizations and drafts as axes, pairs of phases, and
/// the devices there are.
@NullMarked
package io.throughputoptimizer.core.search.space;

import org.jspecify.annotations.NullMarked;
