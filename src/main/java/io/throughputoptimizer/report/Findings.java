package io.throughputoptimizer.report;

import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was asked and what was found, as far as a report shows it. It holds neither the model's architecture nor
/// the devices' profiles, so that a report of a stored result does not depend on today's catalogue.
///
/// @param devices one entry per kind of device, in the question's order
/// @param comparison of the kinds of device; absent for a single one
public record Findings(
        Question question,
        List<DeviceFindings> devices,
        @Nullable Comparison comparison) {

    /// @param modelId what is served
    /// @param instances devices per instance where the P/D ratio is asked for, else absent
    /// @param recordedRows whether every recorded row is asked for instead of the best ones
    /// @param accounting formulas behind the figures
    public record Question(
            String modelId,
            QuantizationScheme quantization,
            Lengths lengths,
            ServiceObjective objective,
            @Nullable InstanceSizes instances,
            boolean recordedRows,
            Accounting accounting) {}

    /// @param inputTokens of every request; absent for mixed lengths
    /// @param outputTokens of every request
    public record Lengths(@Nullable Integer inputTokens, int outputTokens) {}

    /// What was found on one kind of device.
    ///
    /// @param deviceCount devices available
    /// @param pdRatio how prefill and decode go together, where that is asked for
    public record DeviceFindings(
            String device,
            int deviceCount,
            List<PhaseResult> phases,
            @Nullable PdRatioResult pdRatio) {
        public DeviceFindings {
            phases = List.copyOf(phases);
        }
    }

    /// Kinds of device side by side; those without a row are in no ranking.
    ///
    /// @param profiles what each reaches, in the question's order
    /// @param phases one ranking per phase; empty where the P/D ratio is asked for
    /// @param pdRatio kinds of device by their best ratio, best first; empty elsewhere
    public record Comparison(List<DeviceFigures> profiles, List<Ranking> phases, List<DeviceFindings> pdRatio) {
        public Comparison {
            profiles = List.copyOf(profiles);
            phases = List.copyOf(phases);
            pdRatio = List.copyOf(pdRatio);
        }
    }

    /// Kinds of device by their best row of a phase, best first.
    public record Ranking(Phase phase, List<DeviceFindings> devices) {
        public Ranking {
            devices = List.copyOf(devices);
        }
    }

    public Findings {
        devices = List.copyOf(devices);
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("devices is empty: a report is about at least one kind of device");
        }
    }
}
