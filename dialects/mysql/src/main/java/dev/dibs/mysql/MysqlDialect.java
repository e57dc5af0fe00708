package dev.dibs.mysql;

import dev.dibs.spi.Claim;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowLockClaim;
import dev.dibs.table.QueueException;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;

/** MySQL and MariaDB as homes of queues. */
public final class MysqlDialect implements Dialect {

    // Above READ COMMITTED a claim would lock the gaps that it reads, and every insert beside it would wait.
    private final JdbcTransaction transaction =
            JdbcTransaction.beginningWith("set transaction isolation level read committed", "start transaction");

    /** For {@link java.util.ServiceLoader}. */
    public MysqlDialect() {}

    @Override
    public boolean serves(SQLDialect family) {
        return family == SQLDialect.MYSQL || family == SQLDialect.MARIADB;
    }

    @Override
    public Claim claim(QueueRef queue) {
        return switch (queue.table().lockForm()) {
            case LEASE -> new MysqlLeaseClaim(transaction);
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
        new MysqlCheck(dsl, queue, transaction).run();
    }
}
