package io.throughputoptimizer.api.result.figure;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.AcceptanceRequest;
import io.throughputoptimizer.api.request.ConversationRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.request.ServingRequest;
import io.throughputoptimizer.api.request.SpeculationRequest;
import io.throughputoptimizer.api.request.TrafficRequest;
import io.throughputoptimizer.api.request.WorkloadRequest;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Clauses for what an answer assumes.
public final class AssumptionMessages {
    private static final double PERCENT = 100;
    private static final String MADE_UP = "TEST_DEVICE";
    private static final String UNQUANTIZED = LinearQuantization.DISABLED.name();

    public static final String MADE_UP_WORDS =
            MADE_UP + " is a fictional device for tests and comparisons with msmodeling";

    public static final String ANY_ENGINE = "no engine in particular, by the roofline";

    private AssumptionMessages() {}

    /// Returns the name of the format of linear layers or a KV cache.
    public static String format(String quantization) {
        return quantization.replace(UNQUANTIZED, "BF16");
    }

    /// Several are tried one by one.
    public static String all(List<? extends Enum<?>> tried) {
        return tried.stream().map(Enum::name).distinct().collect(Collectors.joining(" or "));
    }

    public static String weights(String quantization) {
        return format(quantization) + " weights";
    }

    public static String weights(QuantizationRequest quantization) {
        String linear = all(requireNonNull(quantization.linear()));
        String others = all(requireNonNullElse(quantization.nonExpertLinear(), List.of()));
        return weights(
                others.isEmpty() || others.equals(linear) ? linear : linear + " expert and " + others + " other");
    }

    public static String weights(QuantizationScheme scheme) {
        return weights(
                scheme.setsExpertsApart()
                        ? scheme.linear() + " expert and " + scheme.nonExperts() + " other"
                        : scheme.linear().name());
    }

    public static String cache(String quantization) {
        return format(quantization) + " KV cache";
    }

    /// Describes the engine versions that the figures were measured on.
    ///
    /// @param measured versions by name
    /// @param version that is asked about
    public static String engine(String backend, Map<String, List<String>> measured, @Nullable String version) {
        List<String> versions = measured.getOrDefault(backend, List.of());
        return (versions.isEmpty()
                        ? backend + ", whose kernels were not measured on the device"
                        : backend + " as measured in " + String.join(" and ", versions))
                + (version == null || versions.contains(version) ? "" : " for " + version);
    }

    /// Describes the hit rate of the prefix cache, by turns of conversations where requests are such.
    public static String prefixCache(WorkloadRequest workload) {
        ConversationRequest conversation = workload.conversation();
        if (conversation == null) {
            return prefixCache(workload.prefixCacheHitRate());
        }
        return conversation.toConversation().keepsCache()
                ? "a prefix cache, in which turns find the turn before while there is room"
                : prefixCache(0);
    }

    public static String prefixCache(double hitRate) {
        return hitRate == 0
                ? "no prefix cache"
                : Decimals.general(PERCENT * hitRate) + "% of the input from the prefix cache";
    }

    public static String requests(OptimizationRequest request) {
        WorkloadRequest workload = request.workload();
        TrafficRequest traffic = request.traffic();
        if (traffic != null && traffic.randomRangeRatio() < 1) {
            return "requests between " + Decimals.general(PERCENT * traffic.randomRangeRatio())
                    + "% and all of the lengths";
        }
        ConversationRequest conversation = workload.conversation();
        if (conversation != null) {
            return "conversations of " + conversation.toConversation().turns()
                    + (conversation.toConversation().turns() == 1 ? " turn" : " turns");
        }
        boolean prompts = isMixed(workload.lengthDistribution());
        boolean outputs = isMixed(workload.outputDistribution());
        if (prompts || outputs) {
            return (prompts ? "prompts of mixed lengths" : "prompts alike")
                    + (outputs ? ", outputs of mixed lengths" : ", outputs alike");
        }
        return "all requests alike";
    }

    private static boolean isMixed(@Nullable LengthDistributionRequest lengths) {
        return lengths != null && lengths.isMixed();
    }

    public static String drafts(@Nullable ServingRequest serving, @Nullable SpeculationRequest speculation) {
        if (speculation != null) {
            return speculation.words();
        }
        return serving == null ? AcceptanceRequest.NO_DRAFTS : serving.drafts();
    }

    /// Returns whether a kind of device is not for sale.
    public static boolean isMadeUp(String device, boolean ownProfile) {
        return device.equals(MADE_UP) && !ownProfile;
    }

    /// Returns whether a name stands for a kind of device that is not for sale.
    public static boolean isMadeUp(OptimizationRequest request, String device) {
        return kinds(device).anyMatch(MADE_UP::equals) && !request.bringsDevice(MADE_UP);
    }

    /// The kinds of device, one or two, that a name stands for.
    public static Stream<String> kinds(String device) {
        return Stream.of(device.split(" \\+ "));
    }
}
