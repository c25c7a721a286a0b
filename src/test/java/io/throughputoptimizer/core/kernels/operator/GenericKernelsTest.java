package io.throughputoptimizer.core.kernels.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/// Kernels of a device on which nothing was measured: 10^15 operations in bf16, 2 10^15 in fp8, 10^12 bytes, links of
/// 10^11 bytes within 4 devices and of 10^10 beyond, a second each.
class GenericKernelsTest {
    private static final Percentage EXACT = withinPercentage(1e-10);
    private static final Heads HEADS = new Heads(32, 8, 128);

    private final Kernels kernels = new Kernels(
            new Calibration(
                    "bare",
                    "bare",
                    new Peaks(
                            Map.of(MatrixPeak.BF16, 1e15, MatrixPeak.FP8, 2e15),
                            1e11,
                            1e12,
                            new Peaks.Links(1e11, 4, 1e10, true)),
                    false,
                    Map.of(),
                    Calibration.Servers.NONE,
                    Map.of(),
                    AllReduces.NONE,
                    null,
                    null),
            "vllm");

    @Test
    void aProductIsBoundByOperationsOrBytes() {
        Gemm gemm = generic(kernels.gemm(ProductType.FP8));

        assertThat(gemm.microseconds(8192, 8192, 8192)).isCloseTo(2 * Math.pow(8192, 3) / 1.4e9 + 2, EXACT);
        assertThat(gemm.microseconds(1, 8192, 8192)).isCloseTo((8192 + 8192.0 * 8192 + 2 * 8192) / 8e5 + 2, EXACT);
    }

    @Test
    void attentionReadsItsCacheOrMultipliesItsPairs() {
        assertThat(generic(kernels.decodeAttention("gqa/kv_fp8")).microseconds(4, 10_000, HEADS))
                .isCloseTo(2 * 10_000.0 * 8 * 128 / 8e5 + 10, EXACT);
        assertThat(generic(kernels.prefillAttention("fp8/kv_fp8")).microseconds(4096, 8e6, HEADS))
                .isCloseTo(4 * 8e6 * 32 * 128 / 1.4e9 + 10, EXACT);
        assertThat(generic(kernels.prefillAttention("bf16/kv_fp8")).microseconds(4096, 4096, HEADS))
                .isCloseTo(4.0 * 4096 * 32 * 128 / 8e5 + 10, EXACT);
    }

    @Test
    void latentAttentionHasItsOwnWidths() {
        LatentDecode decode = generic(kernels.latentDecode("kv_bf16"));
        LatentPrefill prefill = generic(kernels.latentPrefill("bf16/kv_bf16"));

        assertThat(decode.microseconds(4, 10_000, 1)).isCloseTo(576 * 10_000.0 * 2 / 8e5 + 10, EXACT);
        assertThat(decode.microseconds(4, 10_000, 1000)).isCloseTo(2176e3 * 10_000 / 7e8 + 10, EXACT);
        assertThat(prefill.microseconds(2048, 2e7, 16)).isCloseTo(640 * 2e7 * 16 / 7e8 + 10, EXACT);
        assertThat(prefill.microseconds(2048, 2048, 16)).isCloseTo(1280 * 2048.0 * 16 / 8e5 + 10, EXACT);
    }

    @Test
    void expertsReachAFifthOfTheRate() {
        Experts experts = generic(kernels.experts(ProductType.BFLOAT16, true));
        var shape = new Experts.Shape(2048, 768, 8);

        assertThat(experts.microseconds(shape, 1e5, 128, 1e5)).isCloseTo(6e5 * 2048 * 768 / 2e8 + 30, EXACT);
        assertThat(experts.microseconds(shape, 8, 8, 1)).isCloseTo(3 * 8 * 2048 * 768 * 2 / 8e5 + 30, EXACT);
    }

    @Test
    void collectivesTakeTheLinkOrThatBetweenNodes() {
        assertThat(generic(kernels.collective(Collective.Kind.ALL_REDUCE, 4)).microseconds(1e6))
                .isCloseTo(1e6 * 1.25 / 8e4 + 5, EXACT);
        Priced<Collective> crossing = kernels.collective(Collective.Kind.ALLTOALL, 8);
        assertThat(crossing.kernel().microseconds(1e6)).isCloseTo(1e6 * 7 / 8 / 8e3 + 5, EXACT);
        assertThat(crossing.use()).extracting(KernelUse::basis).isEqualTo(Basis.INTER_NODE);
    }

    @Test
    void movesAreLaunchedUnlessTheyAreFused() {
        Move move = generic(kernels.move());

        assertThat(move.microseconds(4e6)).isCloseTo(2 + 5, EXACT);
        assertThat(move.fused().microseconds(4e6)).isCloseTo(5, EXACT);
    }

    private static <T> T generic(Priced<T> priced) {
        assertThat(priced.use().basis()).isEqualTo(Basis.NONE);
        return priced.kernel();
    }
}
