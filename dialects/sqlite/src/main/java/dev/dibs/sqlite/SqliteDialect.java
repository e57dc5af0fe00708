package dev.dibs.sqlite;

import dev.dibs.spi.AdvisoryClaim;
import dev.dibs.spi.Claim;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.LeaseClaim;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.Wakeups;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;

/** SQLite as a home of queues. */
public final class SqliteDialect implements Dialect {

    private final JdbcTransaction transaction = JdbcTransaction.of(new SqliteWriter());

    /** For {@link java.util.ServiceLoader}. */
    public SqliteDialect() {}

    @Override
    public boolean serves(SQLDialect family) {
        return family == SQLDialect.SQLITE;
    }

    @Override
    public Claim claim(QueueRef queue) {
        return switch (queue.table().lockForm()) {
            case LEASE -> new LeaseClaim(transaction);
            case ROW_LOCK ->
                throw new QueueException(
                        "%s: SQLite locks the whole file and not a row, so the row lock form would keep every other writer out while a handler runs; map leasedUntil(..) to use leases"
                                .formatted(queue));
            case ADVISORY -> new AdvisoryClaim<>(new SqliteKeyLocks(), transaction);
        };
    }

    @Override
    public JdbcTransaction transaction() {
        return transaction;
    }

    @Override
    public void check(DSLContext dsl, QueueRef queue) {
        new SqliteCheck(dsl, queue, transaction).run();
        if (queue.table().lockForm() == LockForm.ADVISORY) {
            OneProcess.require(dsl, queue);
        }
    }

    @Override
    public Wakeups wakeups() {
        return new ByFileWatch();
    }

    /** It waits in native code. */
    @Override
    public boolean suitsVirtualThreads() {
        return false;
    }
}
