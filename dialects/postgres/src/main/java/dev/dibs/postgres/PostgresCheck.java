package dev.dibs.postgres;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;

import dev.dibs.spi.IndexCheck;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.KeptRows;
import dev.dibs.spi.KeyLocksProbe;
import dev.dibs.spi.NameLimit;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.ServerCheck;
import dev.dibs.spi.ServerCheck.Floor;
import dev.dibs.spi.ServerVersion;
import dev.dibs.spi.SkipLockedProbe;
import dev.dibs.spi.TableCheck;
import dev.dibs.spi.TwoConnections;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import java.util.Set;
import org.jooq.DSLContext;

/** What a PostgreSQL server, its sessions and the queue's table must be before a worker starts. */
record PostgresCheck(DSLContext dsl, QueueRef queue, JdbcTransaction transaction) {

    private static final String PRODUCT = "PostgreSQL";
    private static final Floor FLOOR = new Floor(PRODUCT, "12", "run a claim's sub-query once (as materialized)");

    /** PostgreSQL takes the lower of the two for the higher. */
    private static final Set<String> ISOLATIONS = Set.of("read committed", "read uncommitted");

    /** A longer name is cut without a word, and is another name then. */
    private static final int LONGEST_NAME = 63;

    void run() {
        requireServer();
        new PoolerCheck(dsl, queue, transaction).run();
        NameLimit.bytes(LONGEST_NAME).check(queue);
        new TableCheck(dsl, queue, transaction).run();
        requireReadCommitted();
        if (queue.table().lockForm() == LockForm.ADVISORY) {
            new KeyLocksProbe<>(new TwoConnections(dsl, queue, transaction), new PostgresKeyLocks()).run();
        } else {
            SkipLockedProbe.of(dsl, queue, transaction).run();
        }
        new IndexCheck(dsl, queue, transaction).warnIfMissing(KeptRows.LEFT_OUT, "reads and sorts the whole queue");
    }

    // PostgreSQL 18.1 (Debian 18.1-1) on x86_64-pc-linux-gnu, compiled by ..
    private void requireServer() {
        var server = new ServerCheck(dsl, queue, transaction);
        var answer = server.answer(function("version", String.class));
        if (!answer.startsWith(PRODUCT + " ")) {
            throw server.refused(answer, "give the DSLContext the SQLDialect of its database, if Dibs has one for it");
        }
        server.require(FLOOR, new ServerVersion(answer.substring(PRODUCT.length() + 1)));
    }

    private void requireReadCommitted() {
        var isolation = transaction.single(
                dsl,
                own -> own.select(function("current_setting", String.class, inline("transaction_isolation")))
                        .fetchSingle()
                        .value1());
        if (!ISOLATIONS.contains(isolation)) {
            throw new QueueException(
                    "%s: its sessions run at %s, where a claim beside another one fails with a serialization error (40001); let them run at read committed, which default_transaction_isolation, the connection's options or the pool set"
                            .formatted(queue, isolation));
        }
    }
}
