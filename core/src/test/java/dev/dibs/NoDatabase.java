package dev.dibs;

import dev.dibs.spi.Claim;
import dev.dibs.spi.Dialect;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A dialect for what is refused before a database is reached; it fails where one would be. */
final class NoDatabase implements Dialect {

    /** A queue on it. */
    static <T> Queue<T> queue(QueueTable<T> table, String name) {
        return new Queue<>(DSL.using(SQLDialect.DEFAULT), table, name, TimeSource.database(), new NoDatabase());
    }

    @Override
    public boolean serves(SQLDialect family) {
        return false;
    }

    @Override
    public Claim claim(QueueRef queue) {
        throw new AssertionError("no claim was to be made");
    }

    @Override
    public JdbcTransaction transaction() {
        throw new AssertionError("no transaction was to be made");
    }

    @Override
    public void check(DSLContext dsl, QueueRef queue) {
        throw new AssertionError("no database was to be reached");
    }
}
