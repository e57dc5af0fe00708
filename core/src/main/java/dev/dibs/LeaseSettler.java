package dev.dibs;

import dev.dibs.Settled.How;
import dev.dibs.spi.Claim;
import dev.dibs.spi.Claimed;
import dev.dibs.spi.Hold;
import dev.dibs.wake.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what becomes of leased rows, all that wait in one transaction, and keeps the leases of those still in hand.
 *
 * <p>One thread runs it, on one connection, so that no settlement meets an extension of its own lease. What waits while
 * a transaction is under way goes into the next one: no timer, and no delay where little is done.
 */
final class LeaseSettler implements Settler, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseSettler.class);

    /** Beyond it a transaction gains nothing and holds its locks longer. */
    private static final int MOST_AT_ONCE = 1_000;

    /** Rows that were handled and wait to be settled, when handlers begin to wait for the database. */
    private static final int MOST_UNSETTLED = 2_000;

    /** Enough for every handler that waits, when the worker is closed. */
    private static final int ALL = 1_000_000_000;

    private final Settlement settlement;
    private final Claim claim;
    private final InHand inHand;
    private final LeaseKeeper keeper;
    private final ReservedConnection connection;
    private final DSLContext dsl;
    private final Health health;
    private final Queue<Ending> waiting = new ConcurrentLinkedQueue<>();
    private final List<Ending> away = new ArrayList<>();
    private final Backoff backoff = new Backoff();
    private final Semaphore unsettled;
    private final AtomicInteger unwritten = new AtomicInteger();
    private final Signal written = new Signal();
    private final Signal signal = new Signal();
    private volatile boolean closing;

    LeaseSettler(Settlement settlement, Leases leases, int handlersRows) {
        this.settlement = settlement;
        this.claim = leases;
        this.inHand = leases.inHand();
        this.connection = leases.connection();
        this.dsl = leases.connection().forSettling();
        this.keeper = new LeaseKeeper(inHand, dsl);
        this.health = leases.health();
        this.unsettled = new Semaphore(MOST_UNSETTLED + handlersRows);
    }

    @Override
    public boolean start(Claimed claimed) {
        unsettled.acquireUninterruptibly(claimed.rows().size());
        if (closing) {
            unsettled.release(claimed.rows().size());
            return false;
        }
        inHand.started(claimed, System.nanoTime());
        return true;
    }

    @Override
    public boolean settle(Claimed claimed, List<Ending> endings) {
        unwritten.addAndGet(endings.size());
        waiting.addAll(endings);
        signal.wake();
        return true;
    }

    @Override
    public void awaitWritten() {
        while (unwritten.get() > 0 && !closing) {
            written.awaitUninterruptibly(Slots.LOOK_AGAIN);
        }
    }

    @Override
    public void letGo(Claimed claimed) {
        claimed.rows().forEach(row -> letGo(claimed.hold(), row));
        if (inHand.isEmpty()) {
            signal.wake();
        }
    }

    private void letGo(Hold hold, Record row) {
        if (inHand.letGo(hold, row)) {
            unsettled.release();
        }
    }

    /** Ends when nothing is in hand any more: no claim and no handler begins from now on. */
    void close() {
        connection.takeNoMore();
        closing = true;
        written.wake();
        unsettled.release(ALL);
        signal.wake();
    }

    @Override
    public void run() {
        while (!isOver()) {
            try {
                signal.awaitUninterruptibly(untilNextTurn(System.nanoTime()));
                turn(System.nanoTime());
            } catch (RuntimeException | Error unforeseen) { // nothing ends it but its close
                LOG.error("settling failed in a way that was not foreseen; it goes on", unforeseen);
            }
        }
        connection.drop();
    }

    // In this order: a claim under way may bring rows until it has ended.
    private boolean isOver() {
        return closing && connection.isIdle() && inHand.isEmpty();
    }

    private Duration untilNextTurn(long now) {
        var lookAgain = Slots.LOOK_AGAIN.toNanos(); // for claims that came meanwhile, or ended
        var keeping = closing ? lookAgain : Math.min(lookAgain, keeper.untilDue(now));
        var settling = waiting.isEmpty() && away.isEmpty() ? keeping : backoff.left(now);
        return Duration.ofNanos(Math.min(keeping, settling));
    }

    private void turn(long now) {
        if (!closing && keeper.untilDue(now) == 0) { // when it is closed, what hangs is left to its lease
            keepLeases(now);
        }
        if (backoff.left(now) == 0) {
            settleWhatWaits();
        }
        if (isLeftToHandlersThatHang()) {
            connection.drop();
        } else {
            connection.dropIfNothingInHand();
        }
    }

    private boolean isLeftToHandlersThatHang() {
        return closing && waiting.isEmpty() && away.isEmpty();
    }

    private void keepLeases(long now) {
        try {
            keeper.keep(now);
            if (away.isEmpty()) {
                health.settles();
            }
        } catch (RuntimeException failure) {
            failed(failure);
        }
    }

    private void settleWhatWaits() {
        var endings = next();
        if (!endings.isEmpty()) {
            settle(endings);
        }
    }

    private List<Ending> next() {
        var endings = new ArrayList<>(away);
        away.clear();
        for (var ending = take(endings); ending != null; ending = take(endings)) {
            endings.add(ending);
        }
        return endings;
    }

    private @Nullable Ending take(List<Ending> taken) {
        return taken.size() < MOST_AT_ONCE ? waiting.poll() : null;
    }

    private void settle(List<Ending> endings) {
        var over = new ArrayList<Settled>();
        Throwable reason = null;
        for (var settled : settlement.write(dsl, endings)) {
            reason = settled.how() == How.AWAY ? settled.reason() : reason;
            if (canWait(settled)) {
                away.add(settled.ending());
            } else {
                letGo(settled.ending().hold(), settled.ending().row());
                over.add(settled.givenUp());
            }
        }
        if (reason == null) {
            backoff.reset();
            health.settles();
        } else {
            backoff.failed(System.nanoTime());
            failed(reason);
        }
        unwritten.addAndGet(-over.size());
        written.wake();
        lookAgain(over);
        settlement.tell(over);
    }

    // Given back, they are ready in their old places, which claims may have left behind.
    private void lookAgain(List<Settled> over) {
        var back = over.stream()
                .filter(settled -> settled.ending().fate() instanceof Fate.GiveBack)
                .map(settled -> settled.ending().row())
                .toList();
        if (!back.isEmpty()) {
            claim.lookAgain(back);
        }
    }

    // While the lease lasts nobody else has the row.
    private static boolean canWait(Settled settled) {
        return settled.how() == How.AWAY
                && settled.ending().hold().isSure(settled.ending().row());
    }

    private void failed(Throwable failure) {
        connection.drop(); // the next try takes another one
        health.doesNotSettle(failure);
    }
}
