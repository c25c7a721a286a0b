package io.throughputoptimizer.core.portfolio;

import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Problem of the [PortfolioPlanner]: services with possible units, and a stock of devices.
public record Portfolio(List<Service> services, List<DeviceKind> stock, Assignment assignment) {
    /// Hours of the day.
    public static final int HOURS = 24;

    /// Maximum number of units considered per service and kind of device.
    private static final int MOST_UNITS = 16;

    /// Duration of an assignment of devices to a service.
    public enum Assignment {
        /// All day. Assigned devices cost their price all day; devices that an hour does not need can be
        /// switched off.
        FIXED,
        /// One hour: each hour is assigned separately, and only running devices cost their price.
        HOURLY
    }

    /// A service.
    ///
    /// @param needs planned need of each hour of the day, in the unit of [ServingUnits.ServingUnit#ability()]
    /// @param weight value of serving all of its demand if not everything can be served
    /// @param leastReplicas minimum replicas in every hour
    /// @param units possible units, on devices of the stock
    public record Service(String name, List<Double> needs, double weight, int leastReplicas, List<ServingUnit> units) {
        public Service {
            needs = List.copyOf(needs);
            units = List.copyOf(units);
            if (needs.size() != HOURS) {
                throw new IllegalArgumentException(needs.size() + " hours of " + name);
            }
        }

        double most() {
            return needs.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        }
    }

    /// Devices of one kind.
    ///
    /// @param pricePerHour price of a device, or 1 if only devices are counted
    /// @param perNode devices of a node, within which an instance stays unless it takes whole nodes; absent if
    ///     nodes do not matter
    public record DeviceKind(
            String name,
            int count,
            double pricePerHour,
            @Nullable Integer perNode) {
        /// Returns the devices that are added together: one device, or one node.
        int step() {
            return perNode == null ? 1 : perNode;
        }

        DeviceKind plus(int devices) {
            return new DeviceKind(name, count + devices, pricePerHour, perNode);
        }
    }

    /// Validates the portfolio.
    ///
    /// @throws IllegalArgumentException if a unit is on a device that is not in the stock, or a whole node has
    ///     instances that do not divide one another
    public Portfolio {
        stock = List.copyOf(stock);
        List<Service> kept = new ArrayList<>();
        for (Service service : services) {
            kept.add(new Service(
                    service.name,
                    service.needs,
                    service.weight,
                    service.leastReplicas,
                    UsefulUnits.of(service.units, stock, MOST_UNITS)));
        }
        services = List.copyOf(kept);
        for (DeviceKind kind : stock) {
            requireChain(kind, services);
        }
    }

    /// Returns the kind of device that a unit runs on.
    DeviceKind kind(ServingUnit unit) {
        return stock.stream()
                .filter(kind -> kind.name().equals(unit.device()))
                .findFirst()
                .orElseThrow();
    }

    private static void requireChain(DeviceKind kind, List<Service> services) {
        int smaller = 1;
        for (int size : NodeLevels.of(kind, services).sizes()) {
            if (size % smaller != 0) {
                throw new IllegalArgumentException(
                        "instances of " + smaller + " and " + size + " devices share nodes of " + kind.name);
            }
            smaller = size;
        }
    }

    /// Sizes of instances that share nodes of a kind, and the devices that instances take at each size.
    /// Instances of one size and above fit exactly if they take no more than all nodes have for instances of
    /// that size, because each size divides the next. Without nodes there is one level, of single devices.
    ///
    /// @param sizes instance sizes in ascending order
    record NodeLevels(DeviceKind kind, List<Integer> sizes) {
        static NodeLevels of(DeviceKind kind, List<Service> services) {
            return new NodeLevels(kind, kind.perNode == null ? List.of(1) : sizes(kind.name, kind.perNode, services));
        }

        private static List<Integer> sizes(String name, int perNode, List<Service> services) {
            TreeSet<Integer> sizes = new TreeSet<>();
            sizes.add(1);
            services.stream()
                    .flatMap(service -> service.units.stream())
                    .filter(unit -> unit.device().equals(name))
                    .flatMap(unit -> unit.parts().stream())
                    .filter(part -> part.size() <= perNode)
                    .forEach(part -> sizes.add(part.size()));
            return List.copyOf(sizes);
        }

        /// Returns the devices that a unit takes at a level.
        int taken(ServingUnit unit, int size) {
            return unit.parts().stream()
                    .mapToInt(part -> part.count() * taken(part.size(), size))
                    .sum();
        }

        private int taken(int instance, int size) {
            if (kind.perNode == null) {
                return instance;
            }
            if (instance > kind.perNode) {
                return Math.ceilDiv(instance, kind.perNode) * ofNode(size);
            }
            return instance >= size ? instance : 0;
        }

        /// Returns the devices of a node that instances of a size can take.
        private int ofNode(int size) {
            return kind.perNode == null ? 1 : kind.perNode / size * size;
        }

        /// Returns the devices of the stock at a level.
        int available(int size) {
            return kind.count / kind.step() * ofNode(size);
        }

        /// Returns the devices that one more device or node adds at a level.
        int added(int size) {
            return ofNode(size);
        }
    }
}
