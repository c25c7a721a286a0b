package io.throughputoptimizer.api.result.portfolio;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Assignment of the stock's devices to the instances of services.
@Schema(name = "PortfolioPlan", description = "Which service gets which instances on which devices of the stock.")
public record PortfolioResponse(
        @Schema(
                description =
                        "`served`: all demand, with its headroom. `short`: the stock does not suffice, and most is"
                                + " served by weight. `replicas_missing`: it does not even hold the replicas that must run.")
        OutcomeName outcome,

        @Schema(
                description =
                        "What devices cost in a day, in what prices are in, or in device hours where there are none:"
                                + " `fixed` those that are assigned, all day; `hourly` those that run.",
                example = "921.6")
        double costPerDay,

        @Schema(
                description = "What devices that run cost in a day: less than `cost_per_day` by what is switched off.",
                example = "702.4")
        double runningCostPerDay,

        @Schema(
                description = "By how much a plan may at most be better, as a share of this one: in cost where all is"
                        + " served, else in weighted demand. 0: proven to be the best.",
                example = "0")
        double gap,

        @Schema(description = "Weights of services times the shares of their demand that are served.", example = "5")
        double weightedServed,

        @Schema(description = "The services, in the order asked.")
        List<ServiceResponse> services,

        @Schema(description = "The stock, in the order asked.")
        List<StockResponse> stock,

        @Schema(
                description =
                        "Devices besides the stock that serve all demand, at the least price; where the outcome is not"
                                + " `served`. `hourly` it would do, and is not always the least.")
        @Nullable
        List<MoreResponse> enough,

        @Schema(description = "The hours of the day, from midnight.")
        List<HourResponse> hours,

        @Schema(description = "How long it took.") EffortResponse effort) {

    /// Sufficiency of the stock.
    public enum OutcomeName {
        @JsonProperty("served")
        SERVED,
        @JsonProperty("short")
        SHORT,
        @JsonProperty("replicas_missing")
        REPLICAS_MISSING
    }

    /// The constraint that keeps a service from fewer devices or from more demand.
    public enum BindsName {
        /// Its largest demand.
        @JsonProperty("demand")
        DEMAND,
        /// The replicas that must run.
        @JsonProperty("min_replicas")
        MIN_REPLICAS,
        /// There are no more devices for it.
        @JsonProperty("stock")
        STOCK,
        /// No instance on any of its devices keeps its limits.
        @JsonProperty("limits")
        LIMITS
    }

    /// A service.
    @Schema(name = "PlannedService", description = "What a service gets.")
    public record ServiceResponse(
            @Schema(description = "Its name.", example = "chat")
            String name,

            @Schema(description = "Share of its demand of the day that is served, with headroom.", example = "1")
            double servedShare,

            @Schema(description = "What keeps it from fewer devices, or from more demand.")
            BindsName limitedBy,

            @Schema(description = "Its units: instances that are had, and switched off, together.")
            List<UnitResponse> units,

            @Schema(description = "Why it has none where no instance keeps its limits, by device and size.") @Nullable
            List<NoInstanceResponse> noInstances) {}

    /// Instances that are had together.
    @Schema(
            name = "PlannedUnit",
            description =
                    "Instances that are had, and switched off, together: one that does both, or prefill instances with"
                            + " the decode instances that they feed.")
    public record UnitResponse(
            @Schema(description = "Kind of device.", example = "H100_SXM")
            String device,

            @Schema(description = "`aggregated` or `disaggregated`.", example = "aggregated")
            String deployment,

            @Schema(description = "How many the service has; `hourly` at the most in any hour.", example = "3")
            int count,

            @Schema(description = "Devices of all of them.", example = "12")
            int numDevices,

            @Schema(
                    description =
                            "Of one unit at its most, requests a second; where the demand counts those or tokens.")
            @JsonProperty("requests_per_s")
            @Nullable
            Double requestsPerS,

            @Schema(description = "Of one unit at its most, requests at once; where the demand counts those.") @Nullable
            Double concurrency,

            @Schema(description = "TTFT of one unit at its most, in ms.") @Nullable
            Double ttftMs,

            @Schema(description = "TPOT of one unit at its most, in ms.") @Nullable
            Double tpotMs,

            @Schema(description = "What one unit is made of.")
            List<InstancesResponse> instances) {}

    /// Equal instances of a unit.
    @Schema(name = "InstancesOfUnit", description = "Equal instances of a unit.")
    public record InstancesResponse(
            @Schema(description = "What they do.") PhaseName phase,

            @Schema(description = "How the devices of one are split.", example = "TP=4 | PP=1 | DP=1")
            String parallel,

            @Schema(description = "Devices of one.", example = "4")
            int devicesPerInstance,

            @Schema(description = "How many there are in a unit.", example = "1")
            int count) {}

    /// A size without an instance.
    @Schema(name = "NoInstance", description = "A size that has no instance, and why.")
    public record NoInstanceResponse(
            @Schema(description = "Kind of device.") String device,

            @Schema(description = "What the instance would do.")
            PhaseName phase,

            @Schema(description = "Devices of the instance.")
            int devicesPerInstance,

            @Schema(description = "Why there is none.") String reason) {}

    /// A kind of device.
    @Schema(name = "PlannedStock", description = "A kind of device of the stock.")
    public record StockResponse(
            @Schema(description = "Its name.", example = "H100_SXM")
            String device,

            @Schema(description = "How many there are.", example = "32")
            int count,

            @Schema(description = "How many are assigned; `hourly` in the hour with most.", example = "28")
            int used,

            @Schema(description = "How many are free all day.", example = "4")
            int free,

            @Schema(description = "What one more, or one more node, is worth a day, by solving again.")
            WorthResponse oneMore,

            @Schema(description = "How many more of it alone would serve all; where not all is.") @Nullable
            MissingResponse missingAlone) {}

    /// Value of additional devices.
    @Schema(name = "WorthOfOneMore", description = "What one more device, or node, is worth a day, by solving again.")
    public record WorthResponse(
            @Schema(description = "Devices that are added: 1, or those of a node.", example = "1")
            int devices,

            @Schema(description = "What `cost_per_day` is less by, their own price counted.", example = "12")
            double savedPerDay,

            @Schema(description = "What `weighted_served` is more by.", example = "0.25")
            double gained,

            @Schema(description = "Whether it is worth no more; else time was up.")
            boolean proven) {}

    /// Number of missing devices of one kind.
    @Schema(name = "MissingAlone", description = "How many more of one kind alone would serve all.")
    public record MissingResponse(
            @Schema(description = "So many; absent where no number would do, or `proven` is false.", example = "8")
            @Nullable
            Integer devices,

            @Schema(description = "Whether fewer would not do; false where time was up.")
            boolean proven) {}

    /// Devices in addition to the stock.
    @Schema(name = "MoreDevices", description = "Devices besides the stock.")
    public record MoreResponse(
            @Schema(description = "Kind of device.") String device,
            @Schema(description = "How many more.") int devices) {}

    /// An hour.
    @Schema(name = "PlannedHour", description = "An hour of the day.")
    public record HourResponse(
            @Schema(description = "Its beginning, from 0 to 23.", example = "9")
            int hour,

            @Schema(description = "Devices that run, and that can be switched off, in the order of `stock`.")
            List<HourOfKindResponse> devices,

            @Schema(description = "What runs, in the order of `services`.")
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
            @Schema(description = "Demand that is to be served, without what may be refused, in what is asked for.")
            double demand,

            @Schema(description = "Share of it that is served with headroom; 1 where there is none.")
            double servedShare,

            @Schema(description = "How many of its `units` run, in their order.")
            List<Integer> running) {}

    /// Time that the plan took.
    @Schema(name = "EffortOfPortfolio", description = "How long a plan took.")
    public record EffortResponse(
            @Schema(description = "Seconds for the search of instances.")
            double searchS,

            @Schema(description = "Seconds for the solver.") double solverS,

            @Schema(description = "Units that the solver chose from.")
            int candidates) {}
}
