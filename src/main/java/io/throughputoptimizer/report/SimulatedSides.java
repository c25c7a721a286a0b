package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.estimate.SimulatedPairResponse;
import io.throughputoptimizer.api.result.estimate.SimulatedPairResponse.InstancesResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Section.Fact;
import io.throughputoptimizer.report.table.SingleRecord;
import java.util.List;

/// Report of a disaggregated simulation.
record SimulatedSides(SimulatedPairResponse pair) {

    /// Layouts of both sides.
    List<Fact> input() {
        return List.of(new Fact("Prefill", instances(pair.prefill())), new Fact("Decode", instances(pair.decode())));
    }

    /// Kinds of device.
    String devices() {
        String prefill = pair.prefill().device();
        String decode = pair.decode().device();
        return prefill.equals(decode) ? prefill : prefill + " + " + decode;
    }

    private static String instances(InstancesResponse side) {
        return side.instances() + " x " + side.parallel().label() + " on " + side.device();
    }

    List<Fact> outcome() {
        return List.of(
                new Fact(
                        "Prefill Ranks",
                        busy(pair.prefill()) + ", a prompt waits "
                                + millis(pair.prefill().waitMs())),
                new Fact("KV Transfer", millis(pair.kvTransferMs())),
                new Fact(
                        "Decode Ranks",
                        busy(pair.decode()) + " with "
                                + Decimals.fixed(running(), 1)
                                + " requests, one waits " + millis(pair.decode().waitMs())));
    }

    private static String busy(InstancesResponse side) {
        return "busy " + Decimals.fixed(100 * side.busy(), 1) + "% of the time";
    }

    private static String millis(double millis) {
        return Decimals.fixed(millis, 1) + " ms";
    }

    private double running() {
        Double running = pair.decode().running();
        return running == null ? 0 : running;
    }

    /// Names as those of pairs in searches.
    void layouts(SingleRecord line) {
        line.text("device_p", pair.prefill().device())
                .text("device_d", pair.decode().device())
                .text("parallel_p", pair.prefill().parallel().label())
                .text("parallel_d", pair.decode().parallel().label())
                .count("prefill_instances", (long) pair.prefill().instances())
                .count("decode_instances", (long) pair.decode().instances());
    }

    void figures(SingleRecord line) {
        line.figure("kv_transfer_ms", pair.kvTransferMs())
                .figure("busy_p", pair.prefill().busy())
                .figure("busy_d", pair.decode().busy())
                .figure("wait_p", pair.prefill().waitMs())
                .figure("wait_d", pair.decode().waitMs())
                .figure("running", pair.decode().running());
    }
}
