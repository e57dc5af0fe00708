package dev.dibs.postgres;

import dev.dibs.spi.Claim;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowLockClaim;
import dev.dibs.table.QueueException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;

/** PostgreSQL as a home of queues. */
public final class PostgresDialect implements Dialect {

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
            case LEASE -> new PostgresLeaseClaim(transaction);
            case ROW_LOCK -> new RowLockClaim(transaction);
            case ADVISORY ->
                throw new QueueException("%s: the %s form is not there yet; map leasedUntil(..) to use leases"
                        .formatted(queue, queue.table().lockForm()));
        };
    }

    @Override
    public OwnTransaction transaction() {
        return transaction;
    }

    @Override
    public void check(DSLContext dsl, QueueRef queue) {
        new PostgresCheck(dsl, queue, transaction).run();
    }
}
