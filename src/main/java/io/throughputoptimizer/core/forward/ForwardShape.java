package io.throughputoptimizer.core.forward;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The requests of one forward pass.
public sealed interface ForwardShape {

    /// Equal requests over the whole instance: each data parallel rank runs `ceil(concurrency / dp)` of them.
    ///
    /// @param images images of each request, absent for text only; models without vision ignore them
    /// @param knowsContext whether the pass is told that something came before, which the reference needs to be:
    ///     recurrent states depend on it
    record Uniform(
            long concurrency, Request request, @Nullable ImageInput images, boolean knowsContext)
            implements ForwardShape {
        public Uniform {
            requirePositive("concurrency", concurrency);
        }

        public Uniform(long concurrency, Request request) {
            this(concurrency, request, null);
        }

        public Uniform(long concurrency, Request request, @Nullable ImageInput images) {
            this(concurrency, request, images, false);
        }
    }

    /// Unequal requests of one data parallel rank: already its share, not divided again. The order is that of
    /// the rank's list.
    ///
    /// @param picksRows whether rows for the output head are picked by an index, as the reference does in any list;
    ///     a step in which all decode needs all rows
    record RequestList(List<Group> groups, boolean picksRows) implements ForwardShape {
        public RequestList {
            groups = List.copyOf(groups);
            if (groups.isEmpty()) {
                throw new IllegalArgumentException("groups is empty: a pass needs at least one request");
            }
        }

        public RequestList(List<Group> groups) {
            this(groups, true);
        }
    }

    /// `count` equal requests.
    record Group(long count, Request request) {
        public Group {
            requirePositive("count", count);
        }
    }

    /// Requests of a data parallel rank that decode.
    ///
    /// @param dp data parallel ranks
    default long decoding(int dp) {
        return switch (this) {
            case Uniform uniform -> uniform.request().decode() ? Math.ceilDiv(uniform.concurrency(), dp) : 0;
            case RequestList list ->
                list.groups().stream()
                        .filter(group -> group.request().decode())
                        .mapToLong(Group::count)
                        .sum();
        };
    }

    private static void requirePositive(String field, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(field + " is " + value + ": a positive whole number is needed");
        }
    }
}
