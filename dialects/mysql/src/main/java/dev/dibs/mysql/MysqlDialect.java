package dev.dibs.mysql;

import dev.dibs.spi.AdvisoryClaim;
import dev.dibs.spi.Claim;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.LeaseClaim;
import dev.dibs.spi.OrderedClaim;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.RowLockClaim;
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
            case LEASE -> leaseClaim(queue);
            case ROW_LOCK -> new RowLockClaim<>(new MysqlOrderLocks(), transaction);
            case ADVISORY -> new AdvisoryClaim<>(new MysqlKeyLocks(), transaction);
        };
    }

    private Claim leaseClaim(QueueRef queue) {
        var claim = new LeaseClaim(transaction);
        return queue.isOrdered() ? new OrderedClaim<>(claim::leased, new MysqlOrderLocks(), transaction) : claim;
    }

    @Override
    public JdbcTransaction transaction() {
        return transaction;
    }

    @Override
    public void check(DSLContext dsl, QueueRef queue) {
        new MysqlCheck(dsl, queue, transaction).run();
    }

    @Override
    public boolean needsQuickPolls() {
        return true;
    }

    @Override
    public void checkEnqueue(DSLContext dsl, QueueRef queue) {
        StrictMode.check(dsl, queue);
    }
}
