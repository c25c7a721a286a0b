package io.throughputoptimizer.core.search.space;

import org.jspecify.annotations.Nullable;

/// Reason why a problem is invalid.
///
/// @param subject part of the problem at fault
/// @param element index of the element at fault if the subject is a list; absent for the whole
/// @param device name of the kind of device at fault if each has its own value; absent for the whole
/// @param message value and rule, for people
public record Objection(
        Subject subject,
        @Nullable Integer element,
        @Nullable String device,
        String message) {

    /// Parts of a problem.
    public enum Subject {
        MODEL,
        MODE,
        DEVICE_COUNT,
        INSTANCE_SIZES,
        INSTANCES,
        PREFILL_DEVICES,
        DECODE_DEVICES,
        PREFILL_KINDS,
        DECODE_KINDS,
        KV_TRANSFER,
        /// KV transfer between the prefill and decode instances that serve a demand.
        DEMAND_KV_TRANSFER,
        DEVICES,
        INPUT_LENGTH,
        LENGTH_DISTRIBUTION,
        CONVERSATION,
        OUTPUT_DISTRIBUTION,
        IMAGES,
        LIMITS,
        OBJECTIVE,
        TTFT_LIMIT,
        TPOT_LIMIT,
        E2E_LATENCY_LIMIT,
        SIZES,
        TP_SIZES,
        EP_SIZES,
        MOE_DP_SIZES,
        DCP_SIZES,
        MAX_BATCHED_TOKENS,
        DRAFT_TOKENS,
        COMPILATION,
        LINEAR_QUANTIZATION,
        CACHE_QUANTIZATION,
        NON_EXPERT_QUANTIZATION,
        SHARED_EXPERTS
    }

    public Objection(Subject subject, @Nullable Integer element, String message) {
        this(subject, element, null, message);
    }

    public Objection(Subject subject, String message) {
        this(subject, null, message);
    }

    /// Returns an objection to the number of devices of a kind.
    public static Objection toCount(AvailableDevices available, String device, String message) {
        return new Objection(Subject.DEVICE_COUNT, null, available.isByKind() ? device : null, message);
    }
}
