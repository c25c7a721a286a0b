package io.throughputoptimizer.core.capacity;

import java.util.concurrent.atomic.AtomicLong;

/// Concurrencies that a search of pairs on one kind of device may look at: once they are used up it begins no further
/// pair of layouts, since very many would keep it busy for long.
///
/// What counts is what is asked for one after another, by one thread. Other threads may find figures ahead of it, of
/// which those that it asks for count when it does: so that the ration ends a search at the same place however many
/// threads there are.
final class Ration {
    /// Of all kinds of device.
    static final long ALL = 1_500_000;

    /// Of what is known of some numbers of instances; of the first with the pair itself.
    private static final long KNOWN_BYTES = 384;

    private final Overseer overseer;
    private final long most;
    private final AtomicLong looked = new AtomicLong();
    private final AtomicLong aheadBytes = new AtomicLong();
    private long counted;

    Ration(Overseer overseer, long most) {
        this.overseer = overseer;
        this.most = most;
    }

    /// A concurrency is looked at, by any thread.
    void look() {
        overseer.step();
        looked.incrementAndGet();
    }

    /// Something is known of some numbers of instances, and nobody has asked for it yet.
    void found() {
        aheadBytes.addAndGet(KNOWN_BYTES);
    }

    /// What was found with so many looks is asked for the first time.
    ///
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException if that is more than may be kept
    void askedFor(long looks) {
        aheadBytes.addAndGet(-KNOWN_BYTES);
        overseer.keep(KNOWN_BYTES);
        count(looks);
    }

    /// So many looks whose figures are not kept.
    void count(long looks) {
        counted += looks;
    }

    long counted() {
        return counted;
    }

    boolean isExhausted() {
        return counted >= most;
    }

    /// Whether figures may be found that nobody has asked for yet: no more than would have been looked at and kept.
    boolean lastsAhead() {
        overseer.checkpoint();
        return looked.get() < most && overseer.hasRoom(aheadBytes.get());
    }
}
