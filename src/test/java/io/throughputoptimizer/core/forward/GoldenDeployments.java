package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Relayered;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Deployments as golden files describe them.
final class GoldenDeployments {
    private static final Pattern TINY =
            Pattern.compile("tiny--(?<name>.+)-(?<experts>\\d+)e(-(?<layers>\\d+)l)?\\.json");

    private GoldenDeployments() {}

    /// The setup of a forward pass: ep is the device count and moe_dp 1 unless given.
    static Deployment of(JsonNode setup) {
        int devices = setup.get("num_devices").asInt();
        ModelArchitecture whole = model(setup.get("model").asString());
        int layers = setup.path("layers").asInt(0);
        ModelArchitecture model = layers == 0 ? whole : Relayered.withLayers(whole, layers);
        int ep = setup.path("ep").asInt(devices);
        int moeDp = setup.path("moe_dp").asInt(1);
        return new Deployment(
                model,
                TestDeployments.device(setup.get("device").asString()),
                layout(model, setup.get("tp").asInt(), devices, ep, moeDp)
                        .withDcp(setup.path("dcp").asInt(1)),
                quantization(
                        setup.path("linear").asString("W8A8_DYNAMIC"),
                        setup.path("attention").asString("DISABLED")),
                new Execution(
                                setup.path("compile").asBoolean(true),
                                setup.path("mtp").asInt(0),
                                10 * MemoryFootprint.GIB,
                                PassAccounting.DOCUMENTED,
                                false,
                                false)
                        .withReductionsFused(setup.path("matmul_allreduce").asBoolean(false)));
    }

    /// A compiled model on four TEST_DEVICE, split over all of them.
    static Deployment of(String model, PassAccounting accounting) {
        ModelArchitecture architecture = TestDeployments.model(model);
        return new Deployment(
                architecture,
                TestDeployments.device("TEST_DEVICE"),
                layout(architecture, 4, 4, 4, 1),
                quantization("W8A8_DYNAMIC", "DISABLED"),
                new Execution(true, 0, 0, accounting, false, false));
    }

    /// A model by the name of its configuration's file; some have fewer experts than published.
    static ModelArchitecture model(String file) {
        Matcher tiny = TINY.matcher(file);
        if (tiny.matches()) {
            ModelArchitecture model = Relayered.withExperts(
                    TestDeployments.modelNamed(tiny.group("name")), Integer.parseInt(tiny.group("experts")));
            return tiny.group("layers") == null
                    ? model
                    : Relayered.withLayers(model, Integer.parseInt(tiny.group("layers")));
        }
        return TestDeployments.model(file.replace("--", "/").replace(".json", ""));
    }

    static ParallelLayout layout(ModelArchitecture model, int tp, int devices, int ep, int moeDp) {
        return model.experts().isPresent()
                ? new ParallelLayout(tp, 1, devices / tp, new ExpertLayout(ep, devices / ep / moeDp, moeDp))
                : ParallelLayout.dense(tp, devices / tp);
    }

    static QuantizationScheme quantization(String linear, String attention) {
        return new QuantizationScheme(
                LinearQuantization.valueOf(linear),
                AttentionQuantization.valueOf(attention),
                QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
    }
}
