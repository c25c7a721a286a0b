package io.throughputoptimizer.core.forward.feedforward;

import static io.throughputoptimizer.core.operator.Quantity.FULLER_EXPERTS;
import static io.throughputoptimizer.core.operator.Quantity.FULLER_UNITS;
import static io.throughputoptimizer.core.operator.Quantity.LESSER_UNITS;
import static io.throughputoptimizer.core.operator.Quantity.LIVE_EXPERTS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS_PER_EXPERT;

import io.throughputoptimizer.core.forward.feedforward.ExpertKind.Part;
import io.throughputoptimizer.core.operator.Form;
import java.util.ArrayList;
import java.util.List;

/// Tokens that the experts of rank 0 work on.
///
/// As in the reference, every rank is taken to send what rank 0 sends to itself, so with few tokens more copies arrive
/// than were sent.
///
/// @param tokens `n` tokens of this rank
record ExpertLoad(Form tokens, ExpertSplit split, ExpertKind kind) {

    /// Experts with the same number of tokens, that run one by one.
    ///
    /// @param experts number of experts
    /// @param tokens tokens of each expert
    /// @param units tokens of each expert, padded, in units of the padding
    record Group(Form experts, Form tokens, Form units, int padding, boolean isPadded) {
        /// The next multiple of the padding.
        Form paddedTokens() {
            return units.times(padding);
        }
    }

    /// `n k`, what this rank sends.
    Form copies() {
        return tokens.times(split.routing().expertsPerToken());
    }

    /// Returns the copies that arrive at all experts of the rank.
    Form received() {
        return kept().times(split.layout().ep());
    }

    /// Returns the copies received from other ranks. The rank sends no more: it owns the first experts, so it keeps
    /// at least its share.
    Form exchanged() {
        return kept().times(split.layout().ep() - 1);
    }

    private Form kept() {
        return TOKENS_PER_EXPERT.form().times(localExperts()).plus(FULLER_EXPERTS.form());
    }

    int localExperts() {
        return split.localExperts();
    }

    Form liveExperts() {
        return LIVE_EXPERTS.form();
    }

    /// Its experts that have tokens, equal ones together, most loaded first.
    List<Group> groups() {
        Form fuller = FULLER_EXPERTS.form();
        Form each = TOKENS_PER_EXPERT.form();
        List<Group> groups = new ArrayList<>();
        add(groups, kind.fuller(), fuller, each.plus(1), FULLER_UNITS.form());
        add(groups, kind.lesser(), Form.of(localExperts()).minus(fuller), each, LESSER_UNITS.form());
        return groups;
    }

    private void add(List<Group> groups, Part part, Form experts, Form tokensOfARank, Form units) {
        if (part != Part.ABSENT) {
            Form own = tokensOfARank.times(split.layout().ep());
            groups.add(new Group(experts, own, units, split.padding(), part == Part.PADDED));
        }
    }
}
