package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.LatentConfig;
import java.util.Set;

/// DeepSeek-V3.2: sparse attention, experts limited to groups. The reference has no multi-token prediction for it.
final class DeepSeekV32Family implements ModelFamily {
    private static final Set<String> KNOWN_KEYS = LatentConfig.sparseKeys();

    @Override
    public String modelType() {
        return "deepseek_v32";
    }

    @Override
    public String title() {
        return "DeepSeek-V3.2";
    }

    @Override
    public Set<String> knownKeys() {
        return KNOWN_KEYS;
    }

    @Override
    public ModelArchitecture architecture(String id, HuggingFaceConfig config) {
        LatentConfig.refuseUnpriced(config, "DeepseekV32ForCausalLM");
        LatentConfig.refuseSharedSelection(config);
        int groups = config.count("n_group", FeedForwardSpec.Routing.MAX_EXPERTS);
        var router = new Router.GroupLimited(groups, config.count("topk_group", groups));
        AttentionSpec attention = LatentConfig.attention(config, LatentConfig.indexer(config));
        return DecoderConfig.architecture(id, config, ExpertConfig.deepSeek(config, attention, router), false);
    }
}
