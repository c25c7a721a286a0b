package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Calibrations that users bring along.
class CalibrationDocumentTest {
    private static final String DEVICE = """
            name: MY_DEVICE
            vendor: us
            compute:
              matrix_tflops: {fp32: 50, bf16: 200, fp16: 200}
              general_tflops: {fp32: 3, bf16: 6, fp16: 6}
              efficiency: 0.65
            memory: {capacity_gb: 48, bandwidth_tb_per_s: 1.2, efficiency: 0.5}
            static_costs_us: {matrix: 5, general: 2, communication: 7}
            interconnect:
              grid: [8]
              links:
                - {bandwidth_gb_per_s: 25, latency_us: 3, efficiency: 0.6, topology: CLOS}
            calibration:
              laws: 2
              device: my_device
              family: hopper
              borrow_from: h100_sxm
              peaks:
                bf16_dense_tflops: 200
                fp8_dense_tflops: 0
                fp4_dense_tflops: 0
                int8_dense_tops: 0
                hbm_gib: 48
                hbm_bytes_per_second: 1200000000000
                link_bytes_per_second_per_direction: 25000000000
                link_domain_devices: 8
                inter_node_bytes_per_second: 12500000000
                in_switch_reduction: false
              all_reduce:
                link_bytes_per_second: 25000000000
                table: {vllm: {2: [[256, 4.5], [1048576, 9]]}}
                forms:
                  sglang: {latency_us: 3, latency_per_rank_us: 0.1, one_shot_efficiency: 0.6, two_shot_us: 5, two_shot_efficiency: 0.7, ring_us: 60, ring_efficiency: 0.8}
              classes:
                mla_decode:
                  kv_bf16:
                    pooled: {compute_efficiency: 0.6, memory_efficiency: 0.9, launch_us: 12, item_ns: 42, split_us: 1}
            """;

    @TempDir
    private Path folder;

    @Test
    void aUsersDeviceIsCalibratedAndBorrowsFromTheCatalogue() throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), DEVICE);

        Calibration mine = Objects.requireNonNull(
                CatalogReader.read(folder, null).calibrations().get("MY_DEVICE"));

        assertThat(mine.peaks().memoryBytesPerSecond()).isEqualTo(1.2e12);
        assertThat(mine.choose(KernelClass.MLA_DECODE, "kv_bf16", "vllm").basis())
                .isEqualTo(Basis.POOLED);
        assertThat(mine.choose(KernelClass.GEMM, "bfloat16", "vllm").basis()).isEqualTo(Basis.FAMILY);
    }

    @Test
    void anInlineProfileMayCarryOne() {
        Catalogs catalogs = BuiltIn.CATALOGS;

        assertThat(catalogs.calibration(document(DEVICE)))
                .map(Calibration::device)
                .contains("my_device");
        assertThat(catalogs.calibration(document(DEVICE).withoutCalibration())).isEmpty();
    }

    @Test
    void aLenderThatIsNotThereIsNamedWithItsFile() throws IOException {
        Path file = Files.writeString(folder.resolve("mine.yaml"), DEVICE.replace("h100_sxm", "h100"));

        assertThatThrownBy(() -> CatalogReader.read(folder, null))
                .isInstanceOf(CatalogException.class)
                .hasMessage(file + ": at /calibration/borrow_from: unknown calibration \"h100\";"
                        + " nearest to it: h100_sxm, gb200, gb300");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            laws: 2 | laws: 3 | /calibration/laws | laws must be 1 or 2, got 3
            device: my_device | device: my device | /calibration/device | device must be 1 to 100 letters, digits, '_', '.' or '-', got my device
            family: hopper | {} | /calibration/family | family is required and must be 1 to 100 letters, digits, '_', '.' or '-'
            hbm_gib: 48 | hbm_gib: 0 | /calibration/peaks/hbm_gib | hbm_gib must be a number from 0.000001 to 1000000000, got 0.0
            bf16_dense_tflops: 200 | {} | /calibration/peaks/bf16_dense_tflops | bf16_dense_tflops is required and must be a number from 0 to 1000000000
            in_switch_reduction: false | {} | /calibration/peaks/in_switch_reduction | in_switch_reduction is required and must be true or false
            link_domain_devices: 8 | link_domain_devices: 0 | /calibration/peaks/link_domain_devices | link_domain_devices must be a number from 1 to 1000000000, got 0.0
            mla_decode: | mla: | /calibration/classes/mla | unknown key "mla"; allowed: gemm, prefill_attention, decode_attention, mla_prefill, mla_decode, moe, collective, elementwise, gdn_conv_prefill, gdn_scan, gdn_conv_decode, gdn_update, kda_conv_prefill, kda_scan, kda_conv_decode, kda_update, kda_fused_update, mamba2_conv_prefill, mamba2_conv_decode, hyper_pre, hyper_post, dsa_decode, dsa_prefill, dsa_prefill_dense, csa_decode, csa_prefill, hca_decode, hca_prefill, msa_decode, msa_prefill, window_decode, window_prefill, mamba2_scan, moe_ungated
            kv_bf16: | gqa/kv_bf16: | /calibration/classes/mla_decode/gqa~1kv_bf16 | unknown key "gqa/kv_bf16"; allowed: kv_bf16, kv_fp8
            pooled: { | pool: { | /calibration/classes/mla_decode/kv_bf16/pool | unknown key "pool"; allowed: pooled, nccl, sglang, trtllm, trtllm_net, vllm, vllm-ascend, vllm_machete
            item_ns: 42, | item: 42, item_ns: 42, | /calibration/classes/mla_decode/kv_bf16/pooled/item | unknown key "item"; allowed: compute_efficiency, memory_efficiency, launch_us, item_ns, split_us
            launch_us: 12, | {} | /calibration/classes/mla_decode/kv_bf16/pooled/launch_us | launch_us is required and must be a number from 0 to 1000000000
            launch_us: 12, | launch_us: -1, | /calibration/classes/mla_decode/kv_bf16/pooled/launch_us | launch_us must be a number from 0 to 1000000000, got -1.0
            launch_us: 12, | launch_us: fast, | /calibration/classes/mla_decode/kv_bf16/pooled/launch_us | launch_us must be a number from 0 to 1000000000, got fast
            memory_efficiency: 0.9 | memory_efficiency: 11 | /calibration/classes/mla_decode/kv_bf16/pooled/memory_efficiency | memory_efficiency must be a number from 0.000001 to 10, got 11.0
            table: {vllm | table: {nccl | /calibration/all_reduce/table/nccl | unknown key "nccl"; allowed: sglang, trtllm, vllm, vllm-ascend
            {2: [ | {1: [ | /calibration/all_reduce/table/vllm/1 | unknown key "vllm[1]"; allowed: whole numbers of ranks from 2
            [256, 4.5], [1048576, 9] | [256, 4.5], [256, 9] | /calibration/all_reduce/table/vllm/2 | vllm[2] must be pairs of bytes and microseconds, smallest tensor first, got [256.0, 9.0]
            [256, 4.5], | [256], | /calibration/all_reduce/table/vllm/2 | vllm[2] must be pairs of bytes and microseconds, smallest tensor first, got [256.0]
            [256, 4.5], | [256, null], | /calibration/all_reduce/table/vllm/2 | vllm[2] must be pairs of bytes and microseconds, smallest tensor first, got [256.0, null]
            [256, 4.5], | null, | /calibration/all_reduce/table/vllm/2 | vllm[2] must be pairs of bytes and microseconds, smallest tensor first, got null
            [256, 4.5], [1048576, 9] | {} | /calibration/all_reduce/table/vllm/2 | vllm[2] must be pairs of bytes and microseconds, smallest tensor first, got []
            [256, 4.5] | [256, 0] | /calibration/all_reduce/table/vllm/2 | vllm[2] must be pairs of bytes and microseconds, smallest tensor first, got [256.0, 0.0]
            sglang: {latency_us | nccl: {latency_us | /calibration/all_reduce/forms/nccl | unknown key "nccl"; allowed: pooled, sglang, trtllm, vllm, vllm-ascend
            link_bytes_per_second: 25000000000 | link_bytes_per_second: 0 | /calibration/all_reduce/link_bytes_per_second | link_bytes_per_second must be a number from 1 to 1000000000000000, got 0.0
            ring_us: 60, | {} | /calibration/all_reduce/forms/sglang/ring_us | ring_us is required and must be a number from 0 to 1000000000
            ring_us: 60, | ring_us: 60, ring: 1, | /calibration/all_reduce/forms/sglang/ring | unknown key "ring"; allowed: latency_us, latency_per_rank_us, one_shot_efficiency, two_shot_us, two_shot_efficiency, ring_us, ring_efficiency
            split_us: 1 | split_us: 1, not_pooled: 3 | /calibration/classes/mla_decode/kv_bf16/pooled/not_pooled | not_pooled must be a string, got 3
            """)
    void aMistakeIsNamedWithItsPlaceAndRule(String written, String instead, String pointer, String message) {
        DeviceDocument broken = document(DEVICE.replace(written, instead.equals("{}") ? "" : instead));

        InvalidDocumentException refusal = catchThrowableOfType(InvalidDocumentException.class, broken::toProfile);

        assertThat(refusal.defects()).containsExactly(new Defect(pointer, message));
    }

    @Test
    void anUnknownMemberFails() {
        assertThatThrownBy(() -> document(DEVICE.replace("borrow_from", "borrows")))
                .hasMessageContaining("borrows");
    }

    private static DeviceDocument document(String yaml) {
        return StrictMappers.YAML.readValue(yaml, DeviceDocument.class);
    }
}
