package dev.dibs.testkit;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.table.QueueTable;
import dev.dibs.time.TimeSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** One service instance as a test sees it: a pool and a DSLContext of its own. */
record Instance(HikariDataSource pool, DSLContext dsl) implements AutoCloseable {

    static Instance at(Address address, int connections) {
        var pool = address.pool(connections);
        return new Instance(pool, DSL.using(pool, address.dialect()));
    }

    /** One whose pool is soon full, and stays so. */
    static Instance filled(Address address, int connections) {
        var settings = address.settings(connections);
        settings.setMinimumIdle(connections);
        var pool = new HikariDataSource(settings);
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
