package io.throughputoptimizer.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.workload.PrefixReuse.Hits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What prefix caches find, against caches that are kept block by block.
class PrefixReuseTest {
    private static final int TRACES = 100;

    private record Prompt(int tokens, List<Integer> blocks) {}

    static IntStream seeds() {
        return IntStream.range(0, TRACES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everySizeFindsWhatACacheKeptBlockByBlockFinds(int seed) {
        Random random = new Random(seed);
        int blockTokens = 1 + random.nextInt(40);
        List<Prompt> prompts = prompts(random, blockTokens);
        long asked = 1 + random.nextLong(100L * blockTokens);
        PrefixReuse reuse = new PrefixReuse(blockTokens, asked);
        for (Prompt prompt : prompts) {
            int[] ids = prompt.blocks().stream().mapToInt(Integer::intValue).toArray();
            reuse.add(Arrays.copyOf(ids, ids.length + 3), ids.length, prompt.tokens());
        }

        assertThat(reuse.hitRate(asked)).isEqualTo(found(prompts, blockTokens, asked / blockTokens), within(1e-15));
        List<Hits> curve = reuse.curve();
        for (Hits hits : curve) {
            assertThat(hits.hitRate())
                    .as("%d tokens", hits.cacheTokens())
                    .isEqualTo(found(prompts, blockTokens, hits.cacheTokens() / blockTokens), within(1e-15));
        }
        assertThat(curve.getLast().hitRate()).isEqualTo(reuse.highestHitRate()).isPositive();
    }

    @Test
    void clocksAreSetBackWithoutALoss() {
        PrefixReuse reuse = new PrefixReuse(10, 30);
        for (int round = 0; round < 5_000; round++) {
            reuse.add(new int[] {0, 1, 2}, 3, 35);
        }

        assertThat(reuse.blocks()).isEqualTo(3);
        assertThat(reuse.hitRate(30)).isEqualTo(30.0 * 4_999 / (35 * 5_000));
        assertThat(reuse.curve()).extracting(Hits::cacheTokens).containsExactly(10L, 20L, 40L);
    }

    /// Prompts that go on where others, or themselves, have been: paths in a tree, numbered as they come up.
    private static List<Prompt> prompts(Random random, int blockTokens) {
        Map<List<Integer>, Integer> numbers = new HashMap<>();
        List<Prompt> prompts = new ArrayList<>();
        int width = 1 + random.nextInt(4);
        for (int i = 0; i < 60; i++) {
            int depth = 1 + random.nextInt(8);
            List<Integer> path = new ArrayList<>();
            List<Integer> ids = new ArrayList<>();
            for (int level = 0; level < depth; level++) {
                path.add(random.nextInt(width));
                ids.add(numbers.computeIfAbsent(List.copyOf(path), _ -> numbers.size()));
            }
            int last = random.nextInt(3) == 0 ? blockTokens : 1 + random.nextInt(blockTokens);
            prompts.add(new Prompt((depth - 1) * blockTokens + last, ids));
        }
        return prompts;
    }

    private static double found(List<Prompt> prompts, int blockTokens, long size) {
        LinkedHashSet<Integer> cache = new LinkedHashSet<>();
        long found = 0;
        long tokens = 0;
        for (Prompt prompt : prompts) {
            tokens += prompt.tokens();
            List<Integer> whole =
                    prompt.blocks().subList(0, Math.min(prompt.blocks().size(), prompt.tokens() / blockTokens));
            int saved = 0;
            while (saved < whole.size()
                    && (saved + 1) * blockTokens < prompt.tokens()
                    && cache.contains(whole.get(saved))) {
                saved++;
            }
            found += (long) saved * blockTokens;
            for (Integer block : whole.reversed()) {
                cache.remove(block);
                cache.addLast(block);
                if (cache.size() > size) {
                    cache.removeFirst();
                }
            }
        }
        return (double) found / tokens;
    }
}
