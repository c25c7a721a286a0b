package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import java.util.Random;

/// Deployments of catalogue models on catalogue devices.
final class TestDeployments {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    private TestDeployments() {}

    static ModelArchitecture model(String id) {
        return CATALOGS.models().find(id).orElseThrow();
    }

    static List<ModelArchitecture> models() {
        return CATALOGS.models().all();
    }

    /// The model whose name begins like that.
    static ModelArchitecture modelNamed(String name) {
        return CATALOGS.models().all().stream()
                .filter(model -> model.id().contains("/" + name))
                .findFirst()
                .orElseThrow();
    }

    static DeviceProfile device(String name) {
        return CATALOGS.devices().find(name).orElseThrow();
    }

    /// Any model with dense layers that fits any layout of up to 64 devices, under any quantization, compiled or not.
    static Deployment random(Random random) {
        while (true) {
            int tp = 1 << random.nextInt(5);
            Deployment deployment = new Deployment(
                    any(random, CATALOGS.models().all()),
                    any(random, CATALOGS.devices().all()),
                    ParallelLayout.dense(tp, 1 + random.nextInt(4)),
                    new QuantizationScheme(
                            any(random, List.of(LinearQuantization.values())),
                            any(random, List.of(AttentionQuantization.values())),
                            any(random, List.of(32, 64, 128))),
                    new Execution(
                            random.nextBoolean(),
                            0,
                            random.nextInt(20) * MemoryFootprint.GIB,
                            PassAccounting.DOCUMENTED,
                            false,
                            false));
            if (deployment.obstacle().isEmpty()) {
                return deployment;
            }
        }
    }

    private static <T> T any(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
