package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.ROWS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.attention.AttentionTraits;
import io.throughputoptimizer.core.forward.feedforward.ExpertKind;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.operator.Form;
import org.jspecify.annotations.Nullable;

/// What decides, besides the deployment, which operators a pass has. Passes of one kind differ in
/// [quantities][io.throughputoptimizer.core.operator.Quantity] alone.
///
/// @param selection which rows go to the output head
/// @param draftTokens draft tokens predicted for each request besides the next one, `m`
/// @param traits what attention needs to know, where it shows
/// @param images patches of the images that become tokens in the pass; absent when there are none
/// @param experts how tokens spread over experts; absent for dense models
public record PassKind(
        Selection selection,
        int draftTokens,
        AttentionTraits traits,
        ImagePatching.@Nullable Grid images,
        @Nullable ExpertKind experts) {

    /// Rows that go to the output head.
    public enum Selection {
        /// Every row, unpicked.
        ALL,
        /// Rows picked by an index.
        PICKED,
        /// The last `m + 1` rows of each request, which decodes drafts of an earlier step.
        DRAFTS
    }

    /// Number of rows that go to the output head.
    Form rows() {
        return switch (selection) {
            case ALL -> TOKENS.form();
            case PICKED -> ROWS.form();
            case DRAFTS -> REQUESTS.form().times(draftTokens + 1);
        };
    }
}
