package io.throughputoptimizer.core.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.serving.DecodeQueue.Completion;
import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecodeQueueTest {
    private final DecodeQueue queue = new DecodeQueue();

    @Test
    void requestsTakeTurnsAndNewOnesGoBeforeThoseJustServed() {
        queue.step(0, 2, 2, 1.0);
        // Both at the front are served, the newcomer gets in before them.
        assertThat(queue.step(2, 1, 2, 2.0)).isEmpty();
        // The newcomer and the first of the older ones: the latter is done.
        assertThat(queue.step(2, 0, 2, 3.0)).containsExactly(new Completion(1, 1.0));
        assertThat(queue.requests()).isEqualTo(2);
        // The second of the older ones, then the newcomer.
        assertThat(queue.step(2, 0, 2, 4.0)).containsExactly(new Completion(1, 1.0), new Completion(1, 2.0));
        assertThat(queue.requests()).isZero();
    }

    @Test
    void theFrontmostOfThoseWithTheFewestTokensFinishesFirst() {
        queue.step(0, 4, 3, 1.0);
        assertThat(queue.stepsUntilCompletion(4)).isEqualTo(3);
        // 8 turns of others come before the third turn of the first.
        assertThat(queue.stepsUntilCompletion(3)).isEqualTo(8 / 3 + 1);
        assertThat(queue.stepsUntilCompletion(1)).isEqualTo(9);
    }

    static LongStream seeds() {
        return Nightly.seeds(33);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void skippedStepsLeaveTheQueueAsStepsOneByOneDo(long seed) {
        Random random = new Random(seed);
        OneByOne plain = new OneByOne();
        for (int event = 0; event < 100; event++) {
            long newcomers = 1L + random.nextInt(5);
            int tokens = 1 + random.nextInt(30);
            long served = queue.requests() == 0 ? 0 : 1 + random.nextInt((int) queue.requests());
            assertThat(sumUp(queue.step(served, newcomers, tokens, event)))
                    .isEqualTo(plain.step(served, newcomers, tokens, event));
            long together = 1L + random.nextInt((int) queue.requests());
            long steps = queue.stepsUntilCompletion(together);
            queue.skip(together, steps - 1);
            for (long step = 1; step < steps; step++) {
                assertThat(plain.step(together, 0, 0, 0)).isEmpty();
            }
            List<Double> completed = sumUp(queue.step(together, 0, 0, 0));
            assertThat(completed).isNotEmpty().isEqualTo(plain.step(together, 0, 0, 0));
        }
    }

    /// First token times of the requests that finished, one entry each.
    private static List<Double> sumUp(List<Completion> completions) {
        List<Double> times = new ArrayList<>();
        for (Completion completion : completions) {
            for (long request = 0; request < completion.requests(); request++) {
                times.add(completion.firstTokenMillis());
            }
        }
        return times;
    }

    /// A queue of single requests.
    private static final class OneByOne {
        private record Single(int tokens, double firstTokenMillis) {}

        private Deque<Single> singles = new ArrayDeque<>();

        List<Double> step(long served, long newcomers, int tokens, double firstTokenMillis) {
            List<Double> completed = new ArrayList<>();
            List<Single> behind = new ArrayList<>();
            for (long request = 0; request < served; request++) {
                Single single = singles.removeFirst();
                if (single.tokens == 1) {
                    completed.add(single.firstTokenMillis);
                } else {
                    behind.add(new Single(single.tokens - 1, single.firstTokenMillis));
                }
            }
            for (long request = 0; request < newcomers; request++) {
                singles.addLast(new Single(tokens, firstTokenMillis));
            }
            singles.addAll(behind);
            return completed;
        }
    }
}
