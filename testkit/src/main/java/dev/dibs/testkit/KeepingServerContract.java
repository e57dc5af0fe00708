package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.time.TimeSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same on a server, whose answers can get lost, and which locks single rows. */
public abstract class KeepingServerContract extends KeepingContract {

    /** The contract on a database. */
    protected KeepingServerContract(TestDatabase database) {
        super(database);
    }

    @Test
    void aSettlementWithoutAnAnswerThatCannotBeLookedUpWhileItsLeaseLastsIsUnknown() throws Exception {
        var switched = new SwitchedDataSource(instance().pool());
        var queue = queue(switched);
        queue.enqueue("written, perhaps");
        opened.add(queue.worker().lease(SHORT_LEASE).events(recorder).consume(payload -> {
            switched.off();
            switched.loseAnswerTo(KeepingContract::isDelete);
        }));

        recorder.await("unknown");

        switched.on();
    }

    @Test
    void rowsThatSomebodyHasLockedAreToBeExtendedAgainSoon() {
        var queue = new QueueRef(table(), "mail", TimeSource.database());
        queue().enqueueAll(numbered(2));
        var claimed = Dialects.of(dialect())
                .claim(queue)
                .claim(ClaimRequest.of(here.dsl(), queue, 2, KEPT_LEASE))
                .orElseThrow();
        var locked = claimed.rows().get(0);

        var isExtended = here.dsl().transactionResult(tx -> {
            tx.dsl()
                    .selectOne()
                    .from(queue.from())
                    .where(queue.table().id().eq(locked.get(queue.table().id())))
                    .forUpdate()
                    .fetch();
            return claimed.hold().extend(instance().dsl(), claimed.rows());
        });

        assertThat(isExtended).isFalse();
        assertThat(claimed.rows()).noneMatch(claimed.hold()::isLost);
        assertThat(claimed.hold().extend(here.dsl(), List.of(locked))).isTrue();
    }
}
