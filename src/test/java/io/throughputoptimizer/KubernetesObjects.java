package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Objects of Kubernetes, members that it does not know refused.
public final class KubernetesObjects {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "v1/ConfigMap", ConfigMap.class,
            "v1/Service", Service.class,
            "apps/v1/Deployment", Deployment.class,
            "autoscaling/v2/HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
            "policy/v1/PodDisruptionBudget", PodDisruptionBudget.class,
            "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class);

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // Where a cluster wants a text it takes no number.
            .withCoercionConfig(
                    LogicalType.Textual, texts -> texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail))
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                // The models would keep members that they do not know.
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            })
            .build();

    /// Members of a LeaderWorkerSet (leaderworkerset.x-k8s.io/v1) that manifests may have.
    public record LeaderWorkerSet(String apiVersion, String kind, ObjectMeta metadata, GroupsSpec spec) {}

    public record GroupsSpec(Integer replicas, GroupTemplate leaderWorkerTemplate) {}

    public record GroupTemplate(
            Integer size, String restartPolicy, PodTemplateSpec leaderTemplate, PodTemplateSpec workerTemplate) {}

    /// Members of a DynamoGraphDeployment (nvidia.com/v1alpha1) that manifests may have.
    public record DynamoGraphDeployment(String apiVersion, String kind, ObjectMeta metadata, GraphSpec spec) {}

    public record GraphSpec(String backendFramework, Map<String, GraphService> services) {}

    public record GraphService(
            String componentType,
            @Nullable String subComponentType,
            Integer replicas,
            @Nullable Multinode multinode,
            @Nullable GraphResources resources,
            ExtraPodSpec extraPodSpec) {}

    public record Multinode(Integer nodeCount) {}

    public record GraphResources(Map<String, String> limits) {}

    /// The container has the members of any other.
    public record ExtraPodSpec(Container mainContainer) {}

    /// Values of the chart llm-d-modelservice that manifests may have.
    public record ModelService(
            String fullnameOverride,
            Artifacts modelArtifacts,
            Boolean multinode,
            Map<String, String> accelerator,
            Routing routing,
            ModelRole decode,
            ModelRole prefill) {}

    public record Artifacts(String name, String uri, Map<String, String> labels) {}

    public record Routing(Integer servicePort, RoutingProxy proxy) {}

    public record RoutingProxy(
            Boolean enabled,
            @Nullable Integer targetPort,
            @Nullable String connector) {}

    public record ModelRole(
            Boolean create,
            Integer replicas,
            @Nullable Parallelism parallelism,
            @Nullable List<ModelContainer> containers,
            @Nullable List<Volume> volumes) {}

    public record Parallelism(Integer tensor, Integer data, Integer dataLocal, Integer workers) {}

    public record ModelContainer(
            String name,
            String image,
            String modelCommand,
            List<String> command,
            List<String> args,
            List<ContainerPort> ports,
            ResourceRequirements resources,
            Boolean mountModelVolume,
            List<VolumeMount> volumeMounts) {}

    /// Members of an LLMInferenceService (serving.kserve.io/v1alpha2) that manifests may have.
    public record LlmInferenceService(String apiVersion, String kind, ObjectMeta metadata, LlmServiceSpec spec) {}

    public record LlmServiceSpec(
            LlmModel model,
            Integer replicas,
            LlmParallelism parallelism,
            PodSpec template,
            @Nullable PodSpec worker,
            LlmRouter router,
            @Nullable LlmWorkload prefill) {
        /// Instances that do both phases, or decode.
        public LlmWorkload decode() {
            return new LlmWorkload(replicas, parallelism, template, worker);
        }
    }

    public record LlmModel(String uri, String name) {}

    public record LlmParallelism(
            Integer tensor,
            @Nullable Integer data,
            @Nullable Integer dataLocal,
            @Nullable Boolean expert) {}

    public record LlmRouter(Map<String, Object> route, Map<String, Object> gateway, Map<String, Object> scheduler) {}

    public record LlmWorkload(
            Integer replicas,
            LlmParallelism parallelism,
            PodSpec template,
            @Nullable PodSpec worker) {}

    private KubernetesObjects() {}

    /// An object or values of that shape, members that it does not know refused.
    public static <T> T read(JsonNode document, Class<T> shape) throws JsonProcessingException {
        return STRICT.readValue(document.toString(), shape);
    }

    public static HasMetadata read(JsonNode manifest) throws JsonProcessingException {
        String kind = manifest.path("apiVersion").asString() + "/"
                + manifest.path("kind").asString();
        assertThat(KINDS).containsKey(kind);
        return STRICT.readValue(manifest.toString(), KINDS.get(kind));
    }

    public static String json(HasMetadata object) throws JsonProcessingException {
        return STRICT.writeValueAsString(object);
    }
}
