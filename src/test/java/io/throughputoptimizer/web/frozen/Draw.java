package io.throughputoptimizer.web.frozen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// What questions are drawn with: the same for a seed, wherever and whenever.
final class Draw {
    private final Random random;

    Draw(long seed) {
        this.random = new Random(seed);
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    /// A number from 0 to less than the bound.
    int below(int bound) {
        return random.nextInt(bound);
    }

    @SafeVarargs
    final <T> T pick(T... all) {
        return all[random.nextInt(all.length)];
    }

    <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /// Some of them, at least one, in their order.
    <T> List<T> some(List<T> all) {
        List<T> some = new ArrayList<>(all);
        while (some.size() > 1 && chance(0.5)) {
            some.remove(random.nextInt(some.size()));
        }
        return some;
    }

    /// Members of an object, in this order.
    static Map<String, Object> members(Object... namesAndValues) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            members.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return members;
    }
}
