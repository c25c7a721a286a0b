package io.throughputoptimizer.api.result.portfolio;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Assignment of the stock's devices to the instances of services.
@Schema(name = "PortfolioPlan", description = "Assignment of instances on the devices of the stock to services.")
public record PortfolioResponse(
        @Schema(
                description =
                        "`served`: all demand, with its headroom. `short`: the stock does not suffice, and most is"
                                + " served by weight. `replicas_missing`: it does not even hold the replicas that must run.")
        OutcomeName outcome,

        @Schema(
                description = "Cost of devices per day, in the currency of the prices, or in device hours without"
                        + " prices. `fixed`: assigned devices, all day. `hourly`: running devices.",
                example = "921.6")
        double costPerDay,

        @Schema(
                description =
                        "Cost of running devices per day: `cost_per_day` less the devices that are switched" + " off.",
                example = "702.4")
        double runningCostPerDay,

        @Schema(
                description = "Optimality gap: maximum improvement as a fraction of this plan, in cost if all"
                        + " demand is served, otherwise in weighted demand. 0 means proven optimal.",
                example = "0")
        double gap,

        @Schema(description = "Sum of service weights times the served fractions of their demand.", example = "5")
        double weightedServed,

        @Schema(description = "Services in the order of the request.")
        List<ServiceResponse> services,

        @Schema(description = "Stock in the order of the request.")
        List<StockResponse> stock,

        @Schema(
                description = "Additional devices that serve all demand at the lowest price. Absent if the outcome"
                        + " is `served`. With `hourly` they are sufficient, but not always the cheapest.")
        @Nullable
        List<MoreResponse> enough,

        @Schema(description = "The hours of the day, from midnight.")
        List<HourResponse> hours,

        @Schema(description = "Time of the plan.") EffortResponse effort) {

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
    @Schema(name = "PlannedService", description = "Instances of a service.")
    public record ServiceResponse(
            @Schema(description = "Name of the service.", example = "chat")
            String name,

            @Schema(
                    description = "Fraction of the service's daily demand that is served, with headroom.",
                    example = "1")
            double servedShare,

            @Schema(description = "Limiting constraint on fewer devices, or on more demand.")
            BindsName limitedBy,

            @Schema(description = "Units of the service: instances that are assigned and switched off together.")
            List<UnitResponse> units,

            @Schema(description = "Reasons why no instance meets the targets, by device and size.") @Nullable
            List<NoInstanceResponse> noInstances) {}

    /// Instances that are had together.
    @Schema(
            name = "PlannedUnit",
            description = "Instances that are assigned and switched off together: one aggregated instance, or"
                    + " prefill instances with their decode instances.")
    public record UnitResponse(
            @Schema(description = "Kind of device.", example = "H100_SXM")
            String device,

            @Schema(description = "`aggregated` or `disaggregated`.", example = "aggregated")
            String deployment,

            @Schema(description = "Number of units of the service; with `hourly` in its largest hour.", example = "3")
            int count,

            @Schema(description = "Devices of all units.", example = "12")
            int numDevices,

            @Schema(
                    description = "Maximum requests per second of one unit. Only with demand in requests or tokens per"
                            + " second.")
            @Nullable
            Double requestsPerS,

            @Schema(description = "Maximum concurrency of one unit. Only with demand in concurrency.") @Nullable
            Double concurrency,

            @Schema(description = "TTFT of one unit at its maximum load, in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "TPOT of one unit at its maximum load, in ms.") @Nullable
            Double tpotMs,

            @Schema(description = "Instances of one unit.") List<InstancesResponse> instances) {}

    /// Equal instances of a unit.
    @Schema(name = "InstancesOfUnit", description = "Equal instances of a unit.")
    public record InstancesResponse(
            @Schema(description = "Phase of the instances.") PhaseName phase,

            @Schema(description = "Parallel layout of one instance.", example = "TP=4 | PP=1 | DP=1")
            String parallel,

            @Schema(description = "Devices of one.", example = "4")
            int devicesPerInstance,

            @Schema(description = "Number of instances in a unit.", example = "1")
            int count) {}

    /// A size without an instance.
    @Schema(name = "NoInstance", description = "A size without an instance, with the reason.")
    public record NoInstanceResponse(
            @Schema(description = "Kind of device.") String device,

            @Schema(description = "Phase of the instance.") PhaseName phase,

            @Schema(description = "Devices of the instance.")
            int devicesPerInstance,

            @Schema(description = "Reason why there is no instance.")
            String reason) {}

    /// A kind of device.
    @Schema(name = "PlannedStock", description = "A kind of device of the stock.")
    public record StockResponse(
            @Schema(description = "Name of the device.", example = "H100_SXM")
            String device,

            @Schema(description = "Devices in the stock.", example = "32")
            int count,

            @Schema(description = "Devices assigned; with `hourly` in the hour with the most.", example = "28")
            int used,

            @Schema(description = "Devices free all day.", example = "4")
            int free,

            @Schema(description = "Daily value of one more device or node, by solving again.")
            WorthResponse oneMore,

            @Schema(
                    description = "Additional devices of this type that would serve all demand. Absent if all is"
                            + " served.")
            @Nullable
            MissingResponse missingAlone) {}

    /// Value of additional devices.
    @Schema(name = "WorthOfOneMore", description = "Daily value of one more device or node, by solving again.")
    public record WorthResponse(
            @Schema(description = "Devices that are added: 1, or those of a node.", example = "1")
            int devices,

            @Schema(description = "Decrease of `cost_per_day`, with the price of the added devices.", example = "12")
            double savedPerDay,

            @Schema(description = "Increase of `weighted_served`.", example = "0.25")
            double gained,

            @Schema(description = "True if the value is proven not to be larger. False if time ran out.")
            boolean proven) {}

    /// Number of missing devices of one kind.
    @Schema(name = "MissingAlone", description = "Additional devices of one type that would serve all demand.")
    public record MissingResponse(
            @Schema(
                    description = "Number of devices. Absent if no number suffices or `proven` is false.",
                    example = "8")
            @Nullable
            Integer devices,

            @Schema(description = "True if fewer devices are proven insufficient. False if time ran out.")
            boolean proven) {}

    /// Devices in addition to the stock.
    @Schema(name = "MoreDevices", description = "Additional devices.")
    public record MoreResponse(
            @Schema(description = "Kind of device.") String device,

            @Schema(description = "Number of additional devices.")
            int devices) {}

    /// An hour.
    @Schema(name = "PlannedHour", description = "An hour of the day.")
    public record HourResponse(
            @Schema(description = "Start of the hour, 0 to 23.", example = "9")
            int hour,

            @Schema(description = "Devices that run, and that can be switched off, in the order of `stock`.")
            List<HourOfKindResponse> devices,

            @Schema(description = "Running units, in the order of `services`.")
            List<HourOfServiceResponse> services) {}

    /// Devices of a kind in an hour.
    @Schema(name = "HourOfDevices", description = "Devices of a kind in an hour.")
    public record HourOfKindResponse(
            @Schema(description = "Devices that run.") int running,

            @Schema(description = "Devices that are assigned and can be switched off; `hourly` those that do not run.")
            int off) {}

    /// A service in an hour.
    @Schema(name = "HourOfService", description = "A service in an hour.")
    public record HourOfServiceResponse(
            @Schema(
                    description = "Demand to be served, without the fraction that may be rejected, in the unit of the"
                            + " request.")
            double demand,

            @Schema(description = "Fraction of the demand that is served with headroom. 1 without demand.")
            double servedShare,

            @Schema(description = "Number of running units for each entry of the service's `units`.")
            List<Integer> running) {}

    /// Time that the plan took.
    @Schema(name = "EffortOfPortfolio", description = "Time of a plan.")
    public record EffortResponse(
            @Schema(description = "Seconds for the search of instances.")
            double searchS,

            @Schema(description = "Seconds for the solver.") double solverS,

            @Schema(description = "Units that the solver chose from.")
            int candidates) {}
}
