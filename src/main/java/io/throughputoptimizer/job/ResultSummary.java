package io.throughputoptimizer.job;

import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobAnswer.UsedDevices;
import io.throughputoptimizer.api.result.CapacityResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse;
import io.throughputoptimizer.api.result.PairKindsResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.SteadyPairResponse;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Summarizes results for lists.
final class ResultSummary {
    private ResultSummary() {}

    static JobAnswer of(ResultResponse result) {
        return result.capacity() == null
                ? leading(result).map(ResultSummary::of).orElseGet(() -> nothing(null))
                : of(result.capacity());
    }

    /// Returns the device that leads the first ranking; without rankings the first of all devices.
    private static Optional<DeviceResponse> leading(ResultResponse result) {
        List<CrossHardwareResponse> rankings = result.crossHardware();
        return (rankings == null ? List.<CrossHardwareResponse>of() : rankings)
                .stream()
                        .flatMap(ranking -> ranking.rows().stream().limit(1))
                        .findFirst()
                        .flatMap(first -> result.devices().stream()
                                .filter(device -> device.device().equals(first.device()))
                                .findFirst())
                        .or(() -> result.devices().stream().findFirst());
    }

    private static JobAnswer of(DeviceResponse device) {
        Optional<JobAnswer> found = device.pdRatio() == null
                ? device.phases().stream()
                        .flatMap(phase -> Stream.ofNullable(phase.best()))
                        .findFirst()
                        .map(best -> of(device.device(), best))
                : device.pdRatio().rows().stream().findFirst().map(pair -> of(device.device(), pair));
        return found.orElseGet(() -> nothing(device.phases().stream()
                .flatMap(phase -> phase.rejected().stream())
                .map(RejectedResponse::reason)
                .findFirst()
                .orElse(null)));
    }

    private static JobAnswer of(String device, RowResponse row) {
        Integer replicas = row.steady() == null ? null : row.steady().replicas();
        long count = (long) row.parallel().numDevices() * (replicas == null ? 1 : replicas);
        return new JobAnswer(List.of(new UsedDevices(device, count)), row.tokensPerS(), row.requestsPerS(), null, null);
    }

    private static JobAnswer of(String device, PdRatioRowResponse pair) {
        PairKindsResponse kinds = pair.kinds();
        SteadyPairResponse load = pair.load();
        UsedDevices prefill = used(
                kinds == null ? null : kinds.prefillDevice(), device, pair.prefillInstances(), pair.prefillDevices());
        UsedDevices decode =
                used(kinds == null ? null : kinds.decodeDevice(), device, pair.decodeInstances(), pair.decodeDevices());
        return new JobAnswer(
                prefill.device().equals(decode.device())
                        ? List.of(new UsedDevices(prefill.device(), prefill.count() + decode.count()))
                        : List.of(prefill, decode),
                load == null ? null : load.tokensPerS(),
                load == null ? null : load.requestsPerS(),
                null,
                null);
    }

    /// Returns the devices of instances; 0 if the number of instances is unknown.
    private static UsedDevices used(@Nullable String kind, String device, @Nullable Integer instances, int each) {
        return new UsedDevices(kind == null ? device : kind, instances == null ? 0 : (long) instances * each);
    }

    private static JobAnswer of(CapacityResponse capacity) {
        CapacityResponse.DeploymentResponse best = capacity.best();
        return best == null
                ? nothing(null)
                : new JobAnswer(
                        List.of(new UsedDevices(best.device(), best.numDevices())),
                        best.tokensPerS(),
                        best.requestsPerS(),
                        best.costPerHour(),
                        null);
    }

    private static JobAnswer nothing(@Nullable String reason) {
        return new JobAnswer(List.of(), null, null, null, reason);
    }
}
