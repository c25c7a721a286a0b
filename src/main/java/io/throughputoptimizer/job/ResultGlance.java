package io.throughputoptimizer.job;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobAnswer;
import io.throughputoptimizer.api.job.JobAnswer.UsedDevices;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Reads of a result what lists say of it.
final class ResultGlance {
    private ResultGlance() {}

    /// Nothing of what is no result.
    ///
    /// @param result as JSON: a [io.throughputoptimizer.api.result.ResultResponse], of which little is read
    static Optional<JobAnswer> of(String result) {
        Result read;
        try {
            read = WireFormat.readStored(result, Result.class);
        } catch (JacksonException _) {
            return Optional.empty();
        }
        return read.devices == null || read.devices.isEmpty()
                ? Optional.empty()
                : Optional.of(read.answer(read.devices));
    }

    /// Members of a result that decide, by their names there.
    private record Result(
            @Nullable List<Device> devices,
            @Nullable List<Ranking> crossHardware,
            @Nullable Capacity capacity) {
        JobAnswer answer(List<Device> all) {
            return capacity != null ? capacity.answer() : leading(all).answer();
        }

        /// The device that leads the first ranking; the first of all where nothing is ranked.
        private Device leading(List<Device> all) {
            return (crossHardware == null ? List.<Ranking>of() : crossHardware)
                    .stream()
                            .flatMap(ranking -> ranking.rows.stream().limit(1))
                            .findFirst()
                            .flatMap(first -> all.stream()
                                    .filter(device -> device.device.equals(first.device))
                                    .findFirst())
                            .orElse(all.getFirst());
        }
    }

    private record Ranking(List<Ranked> rows) {}

    private record Ranked(String device) {}

    private record Device(
            String device, List<Phase> phases, @Nullable Pairs pdRatio) {
        JobAnswer answer() {
            Optional<JobAnswer> found = pdRatio != null
                    ? pdRatio.rows.stream().findFirst().map(pair -> pair.answer(device))
                    : phases.stream()
                            .flatMap(phase -> Stream.ofNullable(phase.best))
                            .findFirst()
                            .map(best -> best.answer(device));
            return found.orElseGet(() -> nothing(phases.stream()
                    .flatMap(phase -> phase.rejected.stream())
                    .map(Rejected::reason)
                    .findFirst()
                    .orElse(null)));
        }
    }

    private record Phase(@Nullable Row best, List<Rejected> rejected) {}

    private record Rejected(String reason) {}

    private record Layout(long tp, long pp, long dp) {}

    private record Row(
            Layout parallel,
            @Nullable Long replicas,
            @Nullable Double tokensPerS,
            @Nullable Double qps) {
        JobAnswer answer(String device) {
            long each = parallel.tp * parallel.pp * parallel.dp;
            return plan(
                    List.of(new UsedDevices(device, each * (replicas == null ? 1 : replicas))), tokensPerS, qps, null);
        }
    }

    private record Pairs(List<Pair> rows) {}

    private record Pair(
            @Nullable Long prefillInstances,
            @Nullable Long decodeInstances,
            @Nullable Long numDevicesP,
            @Nullable Long numDevicesD,
            @Nullable String deviceP,
            @Nullable String deviceD,
            @Nullable Double tokensPerS,
            @Nullable Double qps) {
        /// Instances of no known number are of no known number of devices.
        JobAnswer answer(String device) {
            return plan(
                    merged(
                            used(deviceP == null ? device : deviceP, prefillInstances, numDevicesP),
                            used(deviceD == null ? device : deviceD, decodeInstances, numDevicesD)),
                    tokensPerS,
                    qps,
                    null);
        }

        private static UsedDevices used(String device, @Nullable Long instances, @Nullable Long each) {
            return new UsedDevices(device, instances == null || each == null ? 0 : instances * each);
        }

        private static List<UsedDevices> merged(UsedDevices prefill, UsedDevices decode) {
            return prefill.device().equals(decode.device())
                    ? List.of(new UsedDevices(prefill.device(), prefill.count() + decode.count()))
                    : List.of(prefill, decode);
        }
    }

    private record Capacity(@Nullable Deployment best) {
        JobAnswer answer() {
            return best == null
                    ? nothing(null)
                    : plan(
                            List.of(new UsedDevices(best.device, best.numDevices)),
                            best.tokensPerS,
                            best.requestsPerS,
                            best.costPerHour);
        }
    }

    private record Deployment(
            String device,
            long numDevices,
            @Nullable Double tokensPerS,
            @Nullable Double requestsPerS,
            @Nullable Double costPerHour) {}

    private static JobAnswer plan(
            List<UsedDevices> devices,
            @Nullable Double tokensPerS,
            @Nullable Double requestsPerS,
            @Nullable Double costPerHour) {
        return new JobAnswer(devices, tokensPerS, requestsPerS, costPerHour, null);
    }

    private static JobAnswer nothing(@Nullable String reason) {
        return new JobAnswer(List.of(), null, null, null, reason);
    }
}
