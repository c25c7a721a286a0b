package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.BLOCKS_SCORED;
import static io.throughputoptimizer.core.operator.Quantity.BLOCK_TOKENS_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.BLOCK_TOKENS_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.BlockIndexer;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What attention to selected blocks scores, attends to and reads: closed formulas against one query after the
/// other.
class BlockLoadTest {
    private static final long SEED = 20_261_122;
    private static final int TRIALS = 200;

    record Trial(BlockIndexer indexer, List<ForwardShape.Group> groups) {}

    static Stream<Trial> trials() {
        Random random = new Random(SEED);
        return Stream.generate(() -> {
                    BlockIndexer indexer = new BlockIndexer(4, 128, 1 + random.nextInt(20), 1 + random.nextInt(6));
                    return new Trial(
                            indexer,
                            Stream.generate(() -> group(random))
                                    .limit(1 + random.nextInt(3))
                                    .toList());
                })
                .limit(TRIALS);
    }

    private static ForwardShape.Group group(Random random) {
        long query = 1L + random.nextInt(150);
        return new ForwardShape.Group(
                1 + random.nextInt(5), new Request(query, query + random.nextInt(300), random.nextBoolean()));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void countsEveryQuery(Trial trial) {
        double scored = 0;
        double attended = 0;
        double read = 0;
        for (ForwardShape.Group group : trial.groups()) {
            Request request = group.request();
            double pairs = 0;
            for (long seen = request.sequenceLength() - request.queryLength() + 1;
                    seen <= request.sequenceLength();
                    seen++) {
                pairs += attended(trial.indexer(), seen);
            }
            int selection = trial.indexer().selectedTokens();
            scored += group.count()
                    * request.queryLength()
                    * Math.ceil(
                            (double) request.sequenceLength() / trial.indexer().blockTokens());
            attended += group.count() * pairs;
            read += group.count()
                    * (request.decode()
                            ? Math.min(selection, request.sequenceLength())
                            : Math.max(selection, Math.ceil(Math.sqrt(selection * pairs))));
        }

        Quantities quantities = read(trial.indexer(), trial.groups());

        assertThat(quantities.get(BLOCKS_SCORED)).isEqualTo(scored);
        assertThat(quantities.get(BLOCK_TOKENS_ATTENDED)).isEqualTo(attended);
        assertThat(quantities.get(BLOCK_TOKENS_READ)).isEqualTo(read);
    }

    /// As published: 16 blocks of 128. At 2001 tokens a query sees all of them, at 4250 fifteen blocks whole and
    /// 26 tokens of its own.
    @Test
    void aDecodeStepBeyondTheSelectionAttendsToItsOwnBlockInPart() {
        BlockIndexer published = new BlockIndexer(4, 128, 128, 16);
        List<ForwardShape.Group> step = List.of(
                new ForwardShape.Group(1, Request.decode(1, 2001)), new ForwardShape.Group(1, Request.decode(1, 4250)));

        Quantities quantities = read(published, step);

        assertThat(quantities.get(BLOCKS_SCORED)).isEqualTo(16 + 34);
        assertThat(quantities.get(BLOCK_TOKENS_ATTENDED)).isEqualTo(2001 + (15 * 128 + 26));
        assertThat(quantities.get(BLOCK_TOKENS_READ)).isEqualTo(2001 + 2048);
    }

    /// Tokens that a query attends to which sees so many, itself included.
    private static long attended(BlockIndexer indexer, long seen) {
        long blocks = Math.min(Math.ceilDiv(seen, indexer.blockTokens()), indexer.selectedBlocks());
        return (blocks - 1) * indexer.blockTokens() + (seen - 1) % indexer.blockTokens() + 1;
    }

    private static Quantities read(BlockIndexer indexer, List<ForwardShape.Group> groups) {
        Quantities quantities = new Quantities();
        new BlockLoad(indexer).read(new RankBatch(groups, true, null, false), quantities);
        return quantities;
    }
}
