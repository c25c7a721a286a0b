package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.figure.EngineMemoryResponse;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import io.throughputoptimizer.launch.LaunchPlan.Instance;
import io.throughputoptimizer.launch.LaunchPlan.Served;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Memory of a rank in the calibrated model, as its engine allocates it.
///
/// Commands use the share, sequences, token budget and context that the memory was computed for.
///
/// @param parts memory by part
/// @param stated engine in the request
record LaunchMemory(EngineMemoryResponse parts, EngineRequest stated) implements LaunchPlan.Memory {
    private static final double GIB = 1L << 30;

    /// Returns the memory share with all its decimals.
    String share() {
        return BigDecimal.valueOf(requireNonNull(parts.memoryShare())).toPlainString();
    }

    /// Returns whether the request states the size of the KV cache.
    boolean isPoolStated() {
        return stated.kvPoolGib() != null || stated.kvTokens() != null;
    }

    /// Returns the KV cache size at the low end of the prediction interval, in bytes.
    long poolBytes() {
        return (long) Math.floor(figure(parts.kvPoolLowGib()) * GIB);
    }

    /// Returns whether the model has recurrent states.
    boolean hasStates() {
        return requireNonNullElse(parts.weightsGib(), Map.of()).containsKey("linear_attention");
    }

    /// Returns an instance with the sequences of this memory.
    Instance of(Instance instance) {
        return instance.within(Math.max(instance.batchSize(), requireNonNull(parts.maxNumSeqs())), instance.budget());
    }

    /// Returns the workload with a context that the server can start with at the low end of the prediction
    /// interval.
    ///
    /// @throws CannotLaunchException if no context fits
    Served starting(Served served, Settings settings) {
        requireStart();
        requirePool();
        long most = requireNonNull(parts.maxModelLenLow());
        int wanted = wanted(served, settings);
        long longest = requireNonNull(parts.requestTokens());
        if (most < longest) {
            settings.noting("the low end of the memory holds "
                    + gib(figure(parts.kvPoolLowGib())) + " of KV cache, which admit requests of up to " + most
                    + " tokens; the longest of the load has " + longest + ", and the server may reject it");
        } else if (most < wanted) {
            settings.noting("the context of the server is " + most + " tokens and not " + wanted
                    + ": the low end of the memory admits no longer request");
        }
        Double asked = stated.memoryShare();
        if (asked != null && figure(parts.memoryShare()) < asked) {
            settings.noting("the memory share is " + share() + " and not "
                    + BigDecimal.valueOf(asked).toPlainString() + ": the engine takes "
                    + gib(figure(parts.outsideShareGib())) + " outside of its share");
        }
        return served.taking((int) Math.min(wanted, most));
    }

    /// Returns the context length in the request, within the model's, or else that of the longest request.
    private int wanted(Served served, Settings settings) {
        Integer context = stated.maxModelLen();
        if (context == null || served.mostTokens() != null) {
            return served.requestTokens();
        }
        Integer most = served.contextTokens();
        if (most == null || context <= most) {
            return context;
        }
        settings.noting("the context of the server is " + most + " tokens and not " + context
                + ": the model is made for no longer request");
        return most;
    }

    private void requireStart() {
        if ("no".equals(parts.fits()) || requireNonNull(parts.maxModelLenLow()) < 1) {
            throw new CannotLaunchException(Subject.ENGINE, "A server of this row does not start: " + shortage(parts));
        }
    }

    /// Requires that a stated KV cache fits, since it is allocated regardless of the memory share.
    private void requirePool() {
        double free = figure(parts.seenGib()) - sum(parts);
        double pool = poolBytes() / GIB;
        if (isPoolStated() && pool > free) {
            throw new CannotLaunchException(
                    Subject.ENGINE,
                    "A server of this row does not start: the request states " + gib(pool)
                            + " of KV cache, and a device leaves " + gib(free) + ": " + words(parts, false));
        }
    }

    private static double sum(EngineMemoryResponse parts) {
        return weights(parts) + figure(parts.activationGib()) + figure(parts.otherGib()) + figure(parts.graphsGib());
    }

    /// Describes, by part, the memory that the longest request needs beyond that of a rank.
    static String shortage(EngineMemoryResponse parts) {
        double low = figure(parts.kvPoolLowGib());
        double pool = figure(parts.kvPoolGib());
        return "one request of " + parts.maxModelLen() + " tokens needs " + gib(figure(parts.largestRequestGib()))
                + " of KV cache, and a rank has " + gib(pool) + (low < pool ? " (at the low end " + gib(low) + ")" : "")
                + ": " + words(parts, true);
    }

    private static String words(EngineMemoryResponse parts, boolean share) {
        List<String> words = new ArrayList<>();
        words.add("seen " + gib(figure(parts.seenGib())));
        if (share) {
            words.add("share " + BigDecimal.valueOf(figure(parts.memoryShare())).toPlainString());
        }
        words.add("weights " + gib(weights(parts)));
        words.add("activation " + gib(figure(parts.activationGib())));
        words.add("other " + gib(figure(parts.otherGib())));
        words.add("graphs " + gib(figure(parts.graphsGib())));
        return String.join(", ", words);
    }

    private static double weights(EngineMemoryResponse parts) {
        return requireNonNullElse(parts.weightsGib(), Map.<String, Double>of()).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private static double figure(@Nullable Double gib) {
        return requireNonNullElse(gib, 0.0);
    }

    private static String gib(double gib) {
        return String.format(Locale.ROOT, "%.2f GiB", gib);
    }
}
