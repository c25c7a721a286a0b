package io.throughputoptimizer.api.result.portfolio;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Assignment of the stock's devices to the instances of services.
@Schema(name = "PortfolioPlan")
public record PortfolioResponse(
        OutcomeName outcome,
        double costPerDay,
        double runningCostPerDay,
        double gap,
        double weightedServed,
        List<ServiceResponse> services,
        List<StockResponse> stock,
        @Nullable List<MoreResponse> enough,
        List<HourResponse> hours,
        EffortResponse effort) {

    /// Sufficiency of the stock.
    public enum OutcomeName {
        SERVED,
        SHORT,
        REPLICAS_MISSING
    }

    /// The constraint that keeps a service from fewer devices or from more demand.
    public enum BindsName {
        /// Its largest demand.
        DEMAND,
        /// The replicas that must run.
        MIN_REPLICAS,
        /// There are no more devices for it.
        STOCK,
        /// No instance on any of its devices keeps its limits.
        LIMITS
    }

    /// A service.
    @Schema(name = "PlannedService")
    public record ServiceResponse(
            String name,
            double servedShare,
            BindsName limitedBy,
            List<UnitResponse> units,
            @Nullable List<NoInstanceResponse> noInstances) {}

    /// Instances that are had together.
    @Schema(name = "PlannedUnit")
    public record UnitResponse(
            String device,
            String deployment,
            int count,
            int numDevices,
            @Nullable Double requestsPerS,
            @Nullable Double concurrency,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            List<InstancesResponse> instances) {}

    /// Equal instances of a unit.
    @Schema(name = "InstancesOfUnit")
    public record InstancesResponse(PhaseName phase, String parallel, int devicesPerInstance, int count) {}

    /// A size without an instance.
    @Schema(name = "NoInstance")
    public record NoInstanceResponse(String device, PhaseName phase, int devicesPerInstance, String reason) {}

    /// A kind of device.
    @Schema(name = "PlannedStock")
    public record StockResponse(
            String device,
            int count,
            int used,
            int free,
            WorthResponse oneMore,
            @Nullable MissingResponse missingAlone) {}

    /// Value of additional devices.
    @Schema(name = "WorthOfOneMore")
    public record WorthResponse(int devices, double savedPerDay, double gained, boolean proven) {}

    /// Number of missing devices of one kind.
    @Schema(name = "MissingAlone")
    public record MissingResponse(@Nullable Integer devices, boolean proven) {}

    /// Devices in addition to the stock.
    @Schema(name = "MoreDevices")
    public record MoreResponse(String device, int devices) {}

    /// An hour.
    @Schema(name = "PlannedHour")
    public record HourResponse(int hour, List<HourOfKindResponse> devices, List<HourOfServiceResponse> services) {}

    /// Devices of a kind in an hour.
    @Schema(name = "HourOfDevices")
    public record HourOfKindResponse(int running, int off) {}

    /// A service in an hour.
    @Schema(name = "HourOfService")
    public record HourOfServiceResponse(double demand, double servedShare, List<Integer> running) {}

    /// Time that the plan took.
    @Schema(name = "EffortOfPortfolio")
    public record EffortResponse(double searchS, double solverS, int candidates) {}
}
