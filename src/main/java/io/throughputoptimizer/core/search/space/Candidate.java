package io.throughputoptimizer.core.search.space;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.serving.Serving;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.serving.SimulationAllowance;
import io.throughputoptimizer.core.workload.Phase;
import java.util.HashSet;
import java.util.Set;

/// A serving configuration that a search tries batch sizes of: an instance and its serving terms.
///
/// @param traits options chosen from several values besides the layout, which distinguish it within its search
public record Candidate(Deployment deployment, ServingTerms terms, Set<Trait> traits) {

    /// Options that candidates of a search can differ in besides their layout, in the order of labels.
    public enum Trait {
        /// Draft tokens of a decode step; omitted if 0, as in the reference.
        DRAFT_TOKENS {
            @Override
            String suffix(Candidate candidate) {
                int count = candidate.draftTokens();
                return count == 0 ? "" : " | MTP=" + count;
            }
        },
        /// Ranks that share the KV cache of a sequence; omitted if 1, as in the reference.
        DECODE_CONTEXT {
            @Override
            String suffix(Candidate candidate) {
                int ranks = candidate.layout().dcp();
                return ranks == 1 ? "" : " | DCP=" + ranks;
            }
        },
        TOKEN_BUDGET {
            @Override
            String suffix(Candidate candidate) {
                return " | BUDGET=" + candidate.terms().maxBatchedTokens();
            }
        },
        LINEAR_QUANTIZATION {
            @Override
            String suffix(Candidate candidate) {
                return " | LINEAR=" + candidate.deployment().quantization().linear();
            }
        },
        /// Present whenever it is given.
        NON_EXPERT_QUANTIZATION {
            @Override
            String suffix(Candidate candidate) {
                return " | NON-EXPERT=" + candidate.deployment().quantization().nonExperts();
            }
        },
        CACHE_QUANTIZATION {
            @Override
            String suffix(Candidate candidate) {
                return " | KV=" + candidate.deployment().quantization().attention();
            }
        };

        abstract String suffix(Candidate candidate);
    }

    public Candidate {
        traits = Set.copyOf(traits);
    }

    public ParallelLayout layout() {
        return deployment.layout();
    }

    /// Returns whether an option was chosen from several values.
    public boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /// Returns the draft tokens that a decode step predicts after the next one.
    public int draftTokens() {
        return deployment.execution().mtpTokens();
    }

    /// Returns the unique text of a candidate within its search, of the layout and each trait, such as `TP=2 |
    /// PP=1 | DP=4 | MTP=1`.
    public String label() {
        if (traits.isEmpty()) {
            return layout().label();
        }
        StringBuilder label = new StringBuilder(layout().label());
        for (Trait trait : Trait.values()) {
            label.append(has(trait) ? trait.suffix(this) : "");
        }
        return label.toString();
    }

    /// Returns whether instances of this candidate can prefill for instances of another: both have the same
    /// weights, drafts and KV cache type.
    public boolean hands(Candidate decode) {
        return draftTokens() == decode.draftTokens()
                && deployment.quantization().equals(decode.deployment.quantization());
    }

    Candidate with(Execution execution) {
        return with(new Deployment(
                deployment.model(), deployment.device(), layout(), deployment.quantization(), execution));
    }

    Candidate with(QuantizationScheme quantization) {
        return with(new Deployment(
                deployment.model(), deployment.device(), layout(), quantization, deployment.execution()));
    }

    Candidate with(ParallelLayout layout) {
        return with(new Deployment(
                deployment.model(), deployment.device(), layout, deployment.quantization(), deployment.execution()));
    }

    private Candidate with(Deployment other) {
        return new Candidate(other, terms, traits);
    }

    /// Returns an instance of a phase.
    ///
    /// @param allowance memory budget of the evaluation of one batch size
    public Serving serving(Phase phase, ForwardEstimator estimator, SimulationAllowance allowance) {
        return switch (phase) {
            case PREFILL -> Serving.prefill(deployment, terms, estimator);
            case DECODE -> Serving.decode(deployment, terms, estimator);
            case AGGREGATION -> Serving.aggregated(deployment, terms, estimator, allowance);
        };
    }

    /// Returns a copy with another token budget, without a trait for it.
    public Candidate withTokenBudget(int maxBatchedTokens) {
        return new Candidate(deployment, terms.withMaxBatchedTokens(maxBatchedTokens), traits);
    }

    /// Returns a copy with another trait.
    Candidate with(Trait trait) {
        Set<Trait> more = new HashSet<>(traits);
        more.add(trait);
        return new Candidate(deployment, terms, more);
    }
}
