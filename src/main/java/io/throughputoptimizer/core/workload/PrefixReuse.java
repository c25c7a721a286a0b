package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// What a prefix cache of each size would find of the prompts of a trace, in one pass.
///
/// A prompt is cut into blocks of equal tokens, as engines cut their KV cache. A cache of C blocks keeps the C that
/// were used last (LRU), those of one prompt from its end to its beginning, so that a beginning outlives what follows
/// it. It saves a prompt the blocks from the first to the last before one that it does not have.
///
/// A block is in the cache of C blocks if fewer than C others were used since it was (Mattson's stack distance), so
/// the greatest distance from the first block on tells of every size at once: O(n log n) in the blocks of all prompts.
/// Distances are counted by a binary indexed tree over the times of each block's last use. Used by one thread.
public final class PrefixReuse {
    /// Blocks that may differ; a cache of as many would be larger than a replica's.
    public static final int MOST_BLOCKS = 1 << 20;

    private static final int SMALLEST_CLOCK = 1 << 10;
    private static final int UNUSED = -1;

    private final int blockTokens;
    private final int[] sizes;
    private final long[] found;
    private int[] lastUse = new int[SMALLEST_CLOCK];
    private int[] tree = new int[SMALLEST_CLOCK + 1];
    private int now;
    private int blocks;
    private long tokens;

    /// Share of all tokens of prompts that a cache of a size has.
    ///
    /// @param cacheTokens that it holds, a multiple of the block
    /// @param hitRate from 0 to 1, over the tokens of all prompts
    public record Hits(long cacheTokens, double hitRate) {}

    /// @param blockTokens tokens of a block, at least 1
    /// @param cacheTokens size that matters besides powers of two; 0 for none
    public PrefixReuse(int blockTokens, long cacheTokens) {
        if (blockTokens < 1 || cacheTokens < 0) {
            throw new IllegalArgumentException("blocks of " + blockTokens + " in " + cacheTokens + " tokens");
        }
        this.blockTokens = blockTokens;
        TreeSet<Integer> asked = new TreeSet<>();
        IntStream.iterate(1, size -> size <= MOST_BLOCKS, size -> 2 * size).forEach(asked::add);
        if (cacheTokens >= blockTokens) {
            asked.add(blocksIn(cacheTokens));
        }
        sizes = asked.stream().mapToInt(Integer::intValue).toArray();
        found = new long[sizes.length];
        Arrays.fill(lastUse, UNUSED);
    }

    /// Adds the next prompt, of which at least one token is always computed: a block that ends it is not found.
    ///
    /// @param ids of its blocks from its beginning, below [#MOST_BLOCKS], from 0 as they come up first
    /// @param count how many of `ids` it has
    /// @param promptTokens of the whole prompt
    public void add(int[] ids, int count, int promptTokens) {
        tokens += promptTokens;
        int whole = Math.min(count, promptTokens / blockTokens);
        int findable = Math.min(whole, (promptTokens - 1) / blockTokens);
        int deepest = 0;
        for (int i = 0; i < findable && isKnown(ids[i]); i++) {
            deepest = Math.max(deepest, distance(ids[i]));
            int smallest = Arrays.binarySearch(sizes, deepest);
            int size = smallest >= 0 ? smallest : -smallest - 1;
            if (size < sizes.length) {
                found[size]++;
            }
        }
        for (int i = whole - 1; i >= 0; i--) {
            use(ids[i]);
        }
    }

    /// Blocks that differ, of all prompts.
    public int blocks() {
        return blocks;
    }

    /// Share of the tokens that a cache finds that never forgets.
    public double highestHitRate() {
        return rate(sizes.length - 1);
    }

    /// Share of the tokens that a cache of a size finds.
    ///
    /// @param cacheTokens as it was given before the first prompt
    public double hitRate(long cacheTokens) {
        int size = cacheTokens < blockTokens ? UNUSED : Arrays.binarySearch(sizes, blocksIn(cacheTokens));
        return size < 0 ? 0 : rate(size);
    }

    /// By sizes of one block, two, four and so on, to the first that finds all there is to find.
    public List<Hits> curve() {
        List<Hits> curve = new ArrayList<>();
        for (int size = 0; size < sizes.length; size++) {
            if (Integer.bitCount(sizes[size]) == 1) {
                curve.add(new Hits((long) sizes[size] * blockTokens, rate(size)));
                if (sizes[size] >= blocks) {
                    break;
                }
            }
        }
        return curve;
    }

    private int blocksIn(long cacheTokens) {
        return (int) Math.min(MOST_BLOCKS, cacheTokens / blockTokens);
    }

    private double rate(int size) {
        return tokens == 0
                ? 0
                : (double) blockTokens * Arrays.stream(found, 0, size + 1).sum() / tokens;
    }

    private boolean isKnown(int id) {
        return id < lastUse.length && lastUse[id] != UNUSED;
    }

    /// Blocks used since this one was, and itself: its place in a stack of the blocks used last.
    private int distance(int id) {
        return blocks - usedUpTo(lastUse[id]) + 1;
    }

    /// Makes a block the one used last.
    private void use(int id) {
        if (now == tree.length - 1) {
            renumber();
        }
        if (id >= lastUse.length) {
            int known = lastUse.length;
            lastUse = Arrays.copyOf(lastUse, Math.max(2 * known, id + 1));
            Arrays.fill(lastUse, known, lastUse.length, UNUSED);
        }
        if (lastUse[id] == UNUSED) {
            blocks++;
        } else {
            count(lastUse[id], -1);
        }
        lastUse[id] = now;
        count(now, 1);
        now++;
    }

    /// Blocks whose last use was at a time or before it.
    private int usedUpTo(int time) {
        int sum = 0;
        for (int i = time + 1; i > 0; i -= i & -i) {
            sum += tree[i];
        }
        return sum;
    }

    private void count(int time, int change) {
        for (int i = time + 1; i < tree.length; i += i & -i) {
            tree[i] += change;
        }
    }

    /// Numbers the last uses from 0 again, with room for as many more as there are blocks.
    private void renumber() {
        int[] usedAt = new int[now];
        Arrays.fill(usedAt, UNUSED);
        for (int id = 0; id < lastUse.length; id++) {
            if (lastUse[id] != UNUSED) {
                usedAt[lastUse[id]] = id;
            }
        }
        tree = new int[Math.max(SMALLEST_CLOCK, 2 * blocks) + 1];
        now = 0;
        for (int id : usedAt) {
            if (id != UNUSED) {
                lastUse[id] = now;
                count(now, 1);
                now++;
            }
        }
    }
}
