package io.throughputoptimizer.core.forward.decoder;

import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.ROWS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.attention.AttentionTraits;
import io.throughputoptimizer.core.forward.feedforward.ExpertKind;
import io.throughputoptimizer.core.model.ImagePatching;
import io.throughputoptimizer.core.operator.Form;
import org.jspecify.annotations.Nullable;

/// The properties that, with the deployment, decide the operators of a pass. Passes of one kind differ in
/// [quantities][io.throughputoptimizer.core.operator.Quantity] alone.
///
/// @param selection rows that go to the output head
/// @param draftTokens draft tokens per request after the next one, `m`
/// @param traits traits that attention depends on
/// @param images patches of the images that become tokens in the pass; absent if there are none
/// @param experts distribution of tokens over experts; absent for dense models
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
