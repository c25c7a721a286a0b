package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// Prefix cache hit rates of a trace for every cache size, computed in one pass.
///
/// A prompt consists of blocks of equal tokens, like the KV cache of engines. A cache of C blocks keeps the C
/// most recently used blocks (LRU); the blocks of one prompt age from its end to its beginning, so that a
/// prefix outlives what follows it. A prompt saves its blocks from the first up to the first missing one.
///
/// A block is in the cache of C blocks if fewer than C others were used since its last use (Mattson's stack
/// distance), so the greatest distance from the first block on covers all sizes: O(n log n) in the blocks of
/// all prompts. Distances are counted by a binary indexed tree over the times of each block's last use. Used by
/// one thread.
public final class PrefixReuse {
    /// Maximum number of distinct blocks; a cache of that size would be larger than a replica's.
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

    /// Hit rate of one cache size.
    ///
    /// @param cacheTokens capacity of the cache, a multiple of the block
    /// @param hitRate cached share of all prompt tokens, 0 to 1
    public record Hits(long cacheTokens, double hitRate) {}

    /// Creates counters for powers of two and one more size.
    ///
    /// @param blockTokens tokens of a block, at least 1
    /// @param cacheTokens additional cache size; 0 for none
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

    /// Adds the next prompt. At least one of its tokens is always computed, so a block that ends the prompt is
    /// not cached.
    ///
    /// @param ids ids of its blocks from its beginning, below [#MOST_BLOCKS], numbered from 0 in order of first
    ///     use
    /// @param count number of `ids` that belong to the prompt
    /// @param promptTokens tokens of the whole prompt
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

    /// Returns the number of distinct blocks over all prompts.
    public int blocks() {
        return blocks;
    }

    /// Returns the hit rate of a cache without evictions.
    public double highestHitRate() {
        return rate(sizes.length - 1);
    }

    /// Returns the hit rate of a cache size.
    ///
    /// @param cacheTokens the size given to the constructor
    public double hitRate(long cacheTokens) {
        int size = cacheTokens < blockTokens ? UNUSED : Arrays.binarySearch(sizes, blocksIn(cacheTokens));
        return size < 0 ? 0 : rate(size);
    }

    /// Returns hit rates for sizes of one block, two, four and so on, up to the first that holds all blocks.
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

    /// Returns the stack distance of a block: the number of blocks used since its last use, itself included.
    private int distance(int id) {
        return blocks - usedUpTo(lastUse[id]) + 1;
    }

    /// Marks a block as the most recently used.
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

    /// Returns the number of blocks whose last use was at or before a time.
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

    /// Renumbers the last uses from 0, with space for as many more as there are blocks.
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
