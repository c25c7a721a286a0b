package io.throughputoptimizer.api.imported;

import static java.util.Objects.requireNonNullElse;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A request for one prediction in another tool's file: the same layout and batch size, as a search that tries nothing
/// else.
final class ImportedPrediction {
    private static final String NAME = "prediction";

    private ImportedPrediction() {}

    static ImportedRequest of(ImportedMembers file) {
        ImportedRequest read = new ImportedRequest(NAME);
        ImportedMembers topology = file.inner("topology");
        boolean apart = "disagg".equals(topology.text("kind"));
        ImportedMembers model = file.inner("model");
        String path = requireNonNullElse(model.text("path"), "");
        read.put("mode", apart ? "pd_ratio" : "aggregation")
                .put("cost_model", "calibrated")
                .put("model_id", path.isEmpty() ? null : path);
        ImportedMembers systems = file.inner("systems");
        String prefill = systems.text("prefill");
        String decode = requireNonNullElse(systems.text("decode"), requireNonNullElse(prefill, ""));
        read.put("devices", AiconfiguratorReader.devices(prefill, apart ? decode : prefill));
        if (apart && prefill != null && !prefill.equals(decode)) {
            read.put("pd_ratio/prefill_devices", AiconfiguratorReader.device(prefill))
                    .put("pd_ratio/decode_devices", AiconfiguratorReader.device(decode));
        }
        ImportedMembers backend = file.inner("backend");
        read.put("engine/backend", backend.text("name")).put("engine/version", backend.text("version"));
        ImportedMembers formats = file.inner("quantization");
        ImportedFormats.of(
                read, path, formats.text("gemm"), formats.text("moe"), formats.text("kvcache"), "quantization.");
        ImportedMembers workload = file.inner("workload");
        Integer input = workload.whole("isl");
        read.put("workload/input_length", input).put("workload/output_length", workload.whole("osl"));
        AiconfiguratorReader.prefix(read, workload.whole("prefix"), input == null ? 1 : Math.max(1, input));
        ImportedDrafts.of(read, model);
        sizes(read, topology, apart, workload.whole("concurrency"));
        Map.of("workload", workload, "backend", backend, "quantization", formats, "runtime", file.inner("runtime"))
                .forEach((name, part) -> part.others()
                        .forEach(member ->
                                read.leave(name + "." + AiconfiguratorReader.shortened(member), "has no counterpart")));
        read.leave("provenance", "nothing is kept of where a request comes from");
        file.inner("provenance");
        return ImportedLeftovers.of(read, file, apart);
    }

    private static void sizes(
            ImportedRequest read, ImportedMembers topology, boolean apart, @Nullable Integer concurrency) {
        if (!apart) {
            ImportedMembers worker = topology.inner("worker");
            Integer batch = worker.whole("batch_size");
            read.put("num_devices", devices(worker))
                    .put("search/tp_sizes", one(worker.whole("tp_size")))
                    .put("search/dp_sizes", one(requireNonNullElse(worker.whole("attention_dp_size"), 1)))
                    .put("search/ep_sizes", one(worker.whole("moe_ep_size")))
                    .put("search/batch_range", batch == null ? null : List.of(batch, batch));
            if (concurrency != null) {
                read.leave("workload.concurrency", "search.batch_range has the requests of each rank");
            }
            return;
        }
        ImportedMembers prefill = topology.inner("prefill");
        ImportedMembers decode = topology.inner("decode");
        Integer fed = devices(decode);
        Integer feeding = devices(prefill);
        read.put("num_devices", fed == null || feeding == null ? null : (Integer) (fed + feeding))
                .put("pd_ratio/prefill_devices_per_instance", prefill.whole("gpus_per_replica"))
                .put("pd_ratio/decode_devices_per_instance", decode.whole("gpus_per_replica"))
                .put("search/tp_sizes", both(prefill.whole("tp_size"), decode.whole("tp_size")));
        if (concurrency != null) {
            read.leave("workload.concurrency", "the pair is answered at the concurrency that serves most");
        }
        read.leave("topology.prefill.batch_size", "a prefill rank works on one prompt at a time");
        read.leave("topology.decode.batch_size", "the pair is answered at the concurrency that serves most");
    }

    private static @Nullable Integer devices(ImportedMembers worker) {
        Integer replicas = worker.whole("replicas");
        Integer each = worker.whole("gpus_per_replica");
        return replicas == null || each == null ? null : (Integer) Math.multiplyExact(replicas, each);
    }

    private static @Nullable List<Integer> both(@Nullable Integer prefill, @Nullable Integer decode) {
        if (prefill == null || decode == null) {
            return one(prefill == null ? decode : prefill);
        }
        return prefill.equals(decode) ? List.of(decode) : List.of(prefill, decode);
    }

    private static @Nullable List<Integer> one(@Nullable Integer size) {
        return size == null ? null : List.of(size);
    }
}
