package io.throughputoptimizer.api;

import io.throughputoptimizer.api.OptimizationRequest.AccountingName;
import io.throughputoptimizer.api.OptimizationRequest.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Rules that span several parts of an [OptimizationRequest] and need no catalogue.
final class OptimizationRules {
    private final OptimizationRequest request;
    private final List<Violation> broken = new ArrayList<>();

    private OptimizationRules(OptimizationRequest request) {
        this.request = request;
    }

    static List<Violation> broken(OptimizationRequest request) {
        OptimizationRules rules = new OptimizationRules(request);
        rules.checkModel();
        rules.checkLimits();
        rules.checkLengthDistribution();
        rules.checkInstanceSizes();
        rules.checkSearchSizes();
        return rules.broken;
    }

    private void checkModel() {
        if (request.modelId() == null && request.modelConfig() == null) {
            report("/model_id", "is missing: it or model_config is needed");
        }
    }

    private void checkLimits() {
        if (request.mode() == Mode.DISAGGREGATION
                && request.slo().ttftMs() == null
                && request.slo().tpotMs() == null) {
            report("/slo", "has no limit: mode disaggregation needs ttft_ms for prefill, tpot_ms for decode, or both");
        }
    }

    /// The documented accounting prices mixed lengths in prefill instances alone.
    private void checkLengthDistribution() {
        if (request.workload().lengthDistribution() == null) {
            return;
        }
        boolean corrected = request.accounting() == AccountingName.CORRECTED;
        switch (request.mode()) {
            case DISAGGREGATION -> checkPrefillOnly();
            case AGGREGATION -> {
                if (!corrected) {
                    report(
                            "/mode",
                            "is aggregation: with documented accounting a length distribution needs mode disaggregation");
                }
            }
            case PD_RATIO -> report("/mode", "is pd_ratio: a length distribution needs mode disaggregation");
        }
    }

    private void checkPrefillOnly() {
        if (request.slo().ttftMs() == null) {
            report(
                    "/slo/ttft_ms",
                    "is missing: a length distribution is searched for prefill, which needs a TTFT limit");
        }
        if (request.slo().tpotMs() != null) {
            report(
                    "/slo/tpot_ms",
                    "is given: a length distribution is searched for prefill only, without a TPOT limit");
        }
    }

    private void checkInstanceSizes() {
        if (request.mode() == Mode.PD_RATIO && request.pdRatio() == null) {
            report("/pd_ratio", "is missing: mode pd_ratio needs the devices of a prefill and of a decode instance");
        }
        if (request.mode() != Mode.PD_RATIO && request.pdRatio() != null) {
            report("/pd_ratio", "is given: only mode pd_ratio takes it, and mode is " + wireName(request.mode()));
        }
    }

    private void checkSearchSizes() {
        for (int deviceCount : searchedDeviceCounts()) {
            SearchRequest search = request.search();
            boolean tpSound = checkSizes("tp_sizes", search.tpSizes(), deviceCount);
            boolean epSound = checkSizes("ep_sizes", search.epSizes(), deviceCount);
            boolean moeDpSound = checkSizes("moe_dp_sizes", search.moeDpSizes(), deviceCount);
            if (tpSound && epSound && moeDpSound && !hasLayout(deviceCount)) {
                report(
                        "/search",
                        "has no valid combination of sizes: tp, ep and ep * moe_dp must divide the " + deviceCount
                                + " devices");
            }
        }
    }

    /// Devices of each kind of instance that is searched.
    private List<Integer> searchedDeviceCounts() {
        PdRatioRequest instances = request.pdRatio();
        return request.mode() == Mode.PD_RATIO && instances != null
                ? positive(instances.prefillDevicesPerInstance(), instances.decodeDevicesPerInstance())
                : positive(request.numDevices());
    }

    private static List<Integer> positive(@Nullable Integer... counts) {
        List<Integer> positive = new ArrayList<>();
        for (Integer count : counts) {
            if (count != null && count > 0 && !positive.contains(count)) {
                positive.add(count);
            }
        }
        return positive;
    }

    private boolean checkSizes(String member, @Nullable List<Integer> sizes, int deviceCount) {
        boolean sound = true;
        for (int index = 0; sizes != null && index < sizes.size(); index++) {
            Integer size = sizes.get(index);
            if (size != null && size > deviceCount) {
                report(
                        "/search/" + member + "/" + index,
                        "is " + size + ": at most the device count, " + deviceCount + ", is needed");
            }
            sound &= size != null && size > 0 && size <= deviceCount;
        }
        return sound;
    }

    private boolean hasLayout(int deviceCount) {
        SearchRequest search = request.search();
        return candidates(search.tpSizes(), deviceCount, deviceCount).anyMatch(tp -> deviceCount % tp == 0)
                && candidates(search.epSizes(), deviceCount, deviceCount)
                        .anyMatch(ep -> candidates(search.moeDpSizes(), deviceCount, 1)
                                .anyMatch(moeDp -> deviceCount % ((long) ep * moeDp) == 0));
    }

    /// Sizes tried in one dimension. The default range of a list without values begins with 1, which always
    /// divides the devices.
    private static IntStream candidates(@Nullable List<Integer> sizes, int deviceCount, int unlessSearched) {
        if (sizes == null) {
            return IntStream.of(unlessSearched);
        }
        return sizes.isEmpty()
                ? IntStream.iterate(1, size -> size <= deviceCount, size -> size * 2)
                : sizes.stream().mapToInt(Integer::intValue);
    }

    private void report(String pointer, String message) {
        broken.add(new Violation(pointer, message));
    }

    private static String wireName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
