package dev.dibs.testkit;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** One service instance as a test sees it: a pool and a DSLContext of its own. */
record Instance(HikariDataSource pool, DSLContext dsl) implements AutoCloseable {

    /** One that opens its connections as they are needed: few tests need all of them. */
    static Instance at(Address address, int connections) {
        var settings = address.settings(connections);
        settings.setMinimumIdle(1);
        return of(address, new HikariDataSource(settings));
    }

    /** One whose pool is soon full, and stays so. */
    static Instance filled(Address address, int connections) {
        return of(address, address.pool(connections));
    }

    private static Instance of(Address address, HikariDataSource pool) {
        return new Instance(pool, DSL.using(pool, address.dialect()));
    }

    <T> Queue<T> queue(QueueTable<T> table, String name, TimeSource time) {
        return Queue.builder(dsl, table, name).time(time).build();
    }

    @Override
    public void close() {
        pool.close();
    }
}
