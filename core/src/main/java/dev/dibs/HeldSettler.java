package dev.dibs;

import dev.dibs.spi.Claimed;
import dev.dibs.spi.QueueRef;
import java.util.List;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles rows that a connection holds: at once, by that connection, which goes back to its pool then. */
record HeldSettler(DSLContext dsl, QueueRef queue, Settlement settlement) implements Settler {

    private static final Logger LOG = LoggerFactory.getLogger(HeldSettler.class);

    @Override
    public boolean settle(Claimed claimed, List<Ending> endings) {
        // What was held by the connection cannot be looked up by another one: by then it may be somebody else's.
        var settled =
                settlement.write(dsl, endings).stream().map(Settled::givenUp).toList();
        letGo(claimed);
        settlement.tell(settled);
        return settled.stream().allMatch(Settled::isWritten);
    }

    @Override
    public void letGo(Claimed claimed) {
        try {
            claimed.hold().close();
        } catch (RuntimeException failure) {
            LOG.warn("{}: the connection that held a message did not end well", queue, failure);
        }
    }
}
