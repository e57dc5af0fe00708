package dev.dibs.postgres;

import dev.dibs.spi.AdvisoryClaim;
import dev.dibs.spi.BulkInsert;
import dev.dibs.spi.Claim;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OrderedClaim;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowLockClaim;
import dev.dibs.spi.Wakeups;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;

/** PostgreSQL as a home of queues. */
public final class PostgresDialect implements Dialect {

    /** Walking over the entries of so many settled rows costs a claim about as much as a look at the locks. */
    private static final int ROWS_PER_STEP = 200;

    private final JdbcTransaction transaction = JdbcTransaction.ofDriver();

    /** For {@link java.util.ServiceLoader}. */
    public PostgresDialect() {}

    @Override
    public boolean serves(SQLDialect family) {
        return family == SQLDialect.POSTGRES;
    }

    @Override
    public Claim claim(QueueRef queue) {
        return switch (queue.table().lockForm()) {
            case LEASE -> leaseClaim(queue);
            case ROW_LOCK -> new RowLockClaim<>(new PostgresOrderLocks(), transaction);
            case ADVISORY -> new AdvisoryClaim<>(new PostgresKeyLocks(), transaction);
        };
    }

    private Claim leaseClaim(QueueRef queue) {
        var claim = new PostgresLeaseClaim(transaction);
        if (queue.isOrdered()) {
            return new OrderedClaim<>(claim::leased, new PostgresOrderLocks(), transaction);
        }
        return ClaimKeys.of(queue)
                .<Claim>map(keys ->
                        new BoundedClaim(claim, keys, new TableWriters(queue)::now, new ConfirmedBound(ROWS_PER_STEP)))
                .orElse(claim);
    }

    @Override
    public JdbcTransaction transaction() {
        return transaction;
    }

    @Override
    public void check(DSLContext dsl, QueueRef queue) {
        new PostgresCheck(dsl, queue, transaction).run();
    }

    @Override
    public Wakeups wakeups() {
        return new ByNotifications();
    }

    @Override
    public BulkInsert bulkInsert() {
        return new PostgresBulkInsert();
    }
}
