package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.COARSE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_GROUPS;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_KEPT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_PROMPT_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_SELECTED;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_STEP_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.COARSE_TILES;
import static io.throughputoptimizer.core.operator.Quantity.FINE_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_GROUPS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_KEPT_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.FINE_PROMPT_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.FINE_STEP_ENTRIES;
import static io.throughputoptimizer.core.operator.Quantity.FINE_TILES;
import static io.throughputoptimizer.core.operator.Quantity.SELECTED_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.WINDOW_TILES;

import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.attention.Compressor;

/// Entries that a layer with compressed entries makes, attends to and keeps, by its compression.
///
/// @param selected entries outside the window that a token attends to
/// @param tiles runs of 64 among all entries that a token attends to
/// @param groups entries of all tokens of the pass as one sequence
/// @param compressor load of the compressor
/// @param blocks cache blocks
record CompressedLoads(Form selected, Form tiles, Form groups, Compressor.Load compressor, Form blocks) {
    static CompressedLoads of(Compression compression) {
        return switch (compression) {
            case NONE ->
                new CompressedLoads(
                        Form.ZERO,
                        WINDOW_TILES.form(),
                        Form.ZERO,
                        new Compressor.Load(Form.ZERO, Form.ZERO, Form.ZERO),
                        WINDOW_BLOCKS.form());
            case FINE ->
                new CompressedLoads(
                        SELECTED_TOKENS.form(),
                        FINE_TILES.form(),
                        FINE_GROUPS.form(),
                        new Compressor.Load(
                                FINE_KEPT_TOKENS.form(), FINE_PROMPT_ENTRIES.form(), FINE_STEP_ENTRIES.form()),
                        FINE_BLOCKS.form());
            case COARSE ->
                new CompressedLoads(
                        COARSE_SELECTED.form(),
                        COARSE_TILES.form(),
                        COARSE_GROUPS.form(),
                        new Compressor.Load(
                                COARSE_KEPT_TOKENS.form(), COARSE_PROMPT_ENTRIES.form(), COARSE_STEP_ENTRIES.form()),
                        COARSE_BLOCKS.form());
        };
    }
}
