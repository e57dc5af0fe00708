package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers claimed rows to the handler, or gives them back. Safe for any thread; nothing gets out that is thrown. */
record Deliveries(QueueRef queue, Handling<?> handling, Settlement settlement, Settler settler) {

    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    /**
     * Has rows of one claim handled and settled, but for those that are known to be lost.
     *
     * @return false if what became of them could not be written, so that they come back as they were
     */
    boolean deliver(Claimed batch) {
        try {
            var lost = batch.rows().stream().filter(batch.hold()::isLost).toList();
            var held = batch.rows().stream().filter(row -> !lost.contains(row)).toList();
            batch.part(lost).ifPresent(this::giveBack);
            return batch.part(held).map(this::handled).orElse(true);
        } catch (RuntimeException | Error unforeseen) {
            LOG.error("{}: messages could not be settled and come back when their hold ends", queue, unforeseen);
            settler.letGo(batch);
            return false;
        }
    }

    private boolean handled(Claimed held) {
        return settler.start(held) ? handling.handle(held) : giveBack(held);
    }

    /** Gives back rows that no handler has seen. */
    boolean giveBack(Claimed batch) {
        return settler.settle(batch, settlement.givingBack(batch));
    }

    /** Waits until what was handled or given back is written. */
    void awaitWritten() {
        settler.awaitWritten();
    }
}
