package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// The manifests read as Kubernetes reads them, members that it does not know refused, and that they belong together.
class KubernetesManifestsTest {
    private static final Path FOLDER = Path.of("deploy", "kubernetes");

    @Test
    void everyManifestIsReadStrictly() throws IOException {
        for (String file : resources()) {
            JsonNode manifest = read(file);
            HasMetadata read = KubernetesObjects.read(manifest);

            assertThat(read.getMetadata().getName()).as(file).isEqualTo("throughput-optimizer");
            assertThat(YAMLMapper.shared().readTree(KubernetesObjects.json(read)))
                    .as(file)
                    .isEqualTo(manifest);
        }
    }

    @Test
    void aMisspelledMemberIsNoticed() {
        JsonNode misspelled = YAMLMapper.shared().readTree("""
                apiVersion: apps/v1
                kind: Deployment
                spec:
                  template:
                    spec:
                      containers:
                        - name: a
                          readynessProbe: {}
                """);
        assertThatThrownBy(() -> KubernetesObjects.read(misspelled)).isInstanceOf(UnrecognizedPropertyException.class);
    }

    @Test
    void allPointAtThePodsOfTheDeployment() throws IOException {
        PodTemplateSpec pod = of("deployment.yaml", Deployment.class).getSpec().getTemplate();
        Map<String, String> labels = pod.getMetadata().getLabels();

        assertThat(labels)
                .containsAllEntriesOf(of("deployment.yaml", Deployment.class)
                        .getSpec()
                        .getSelector()
                        .getMatchLabels())
                .containsAllEntriesOf(
                        of("service.yaml", Service.class).getSpec().getSelector())
                .containsAllEntriesOf(of("disruption-budget.yaml", PodDisruptionBudget.class)
                        .getSpec()
                        .getSelector()
                        .getMatchLabels())
                .containsAllEntriesOf(of("network-policy.yaml", NetworkPolicy.class)
                        .getSpec()
                        .getPodSelector()
                        .getMatchLabels());
        HorizontalPodAutoscaler autoscaler = of("autoscaler.yaml", HorizontalPodAutoscaler.class);
        assertThat(autoscaler.getSpec().getScaleTargetRef().getName()).isEqualTo("throughput-optimizer");
        assertThat(autoscaler.getSpec().getScaleTargetRef().getKind()).isEqualTo("Deployment");
    }

    @Test
    void thePodMayDoNoMoreThanItNeeds() throws IOException {
        PodTemplateSpec pod = of("deployment.yaml", Deployment.class).getSpec().getTemplate();
        Container container = pod.getSpec().getContainers().getFirst();

        assertThat(pod.getSpec().getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSpec().getAutomountServiceAccountToken()).isFalse();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
        assertThat(container.getResources().getLimits()).containsKey("memory");
        assertThat(container.getPorts()).anyMatch(port -> port.getName().equals("http"));
    }

    /// As kustomize takes them: all manifests but those of other tools.
    private static List<String> resources() throws IOException {
        List<String> resources = read("kustomization.yaml")
                .path("resources")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(file -> !file.equals("kustomization.yaml")
                                    && !file.equals("prometheus-adapter-values.yaml")))
                    .containsExactlyInAnyOrderElementsOf(resources);
        }
        return resources;
    }

    private static JsonNode read(String file) throws IOException {
        return YAMLMapper.shared().readTree(Files.readString(FOLDER.resolve(file)));
    }

    private static <T extends HasMetadata> T of(String file, Class<T> type) throws IOException {
        return type.cast(KubernetesObjects.read(read(file)));
    }
}
