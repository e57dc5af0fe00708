package dev.dibs.postgres;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.QueueRef;
import dev.dibs.table.QueueTable;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.TestDatabase;
import dev.dibs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** A table of jobs in a database of its own, and claims from it that begin at a bound. */
record Jobs(Address address, HikariDataSource pool, DSLContext dsl) implements AutoCloseable {

    static final Table<?> TABLE = DSL.table(name("jobs"));
    static final Field<Long> ID = field(name("jobs", "id"), SQLDataType.BIGINT);
    static final Field<String> BODY = field(name("jobs", "body"), SQLDataType.CLOB);
    static final Field<Integer> PRIORITY = field(name("jobs", "priority"), SQLDataType.INTEGER);
    static final Field<Long> DUE = field(name("jobs", "due"), SQLDataType.BIGINT);
    static final Field<Integer> TRIES = field(name("jobs", "tries"), SQLDataType.INTEGER);
    static final Field<Long> HELD_UNTIL = field(name("jobs", "held_until"), SQLDataType.BIGINT);

    static final QueueTable<String> MAPPING = QueueTable.of(TABLE, ID, BODY)
            .priority(PRIORITY)
            .dueAt(DUE)
            .attempt(TRIES)
            .leasedUntil(HELD_UNTIL);

    static final String CLOCK = "(extract(epoch from clock_timestamp()) * 1000000)::bigint";

    private static final Duration LEASE = Duration.ofMinutes(10);

    static Jobs create(int connections) {
        var jobs = in(connections);
        jobs.dsl.execute("create table jobs (id bigint generated always as identity primary key, body text not null,"
                + " priority int not null default 0, due bigint not null default %s, tries int not null default 0,"
                        .formatted(CLOCK)
                + " held_until bigint)");
        jobs.dsl.execute("create index jobs_claim on jobs (priority, due, id)");
        return jobs;
    }

    /** Without the table. */
    static Jobs in(int connections) {
        var address = TestDatabase.postgresql().newDatabase();
        var pool = address.pool(connections);
        return new Jobs(address, pool, DSL.using(pool, SQLDialect.POSTGRES));
    }

    static QueueRef queue() {
        return queue(MAPPING);
    }

    static QueueRef queue(QueueTable<String> mapping) {
        return new QueueRef(mapping, "jobs", TimeSource.database());
    }

    /** A claim that takes a step after every row. */
    static BoundedClaim bounded() {
        return bounded(queue(), new TableWriters(queue())::now);
    }

    static BoundedClaim bounded(QueueRef queue, Function<DSLContext, Set<String>> writers) {
        return new BoundedClaim(
                new PostgresLeaseClaim(new PostgresDialect().transaction()),
                ClaimKeys.of(queue).orElseThrow(),
                writers,
                new ConfirmedBound(1));
    }

    ClaimRequest request(QueueRef queue, int limit) {
        return ClaimRequest.of(dsl, queue, limit, LEASE);
    }

    List<Record> claim(Claim claim, int limit) {
        return rows(claim, request(queue(), limit));
    }

    /** A full look. */
    List<Record> look(Claim claim, int limit) {
        return rows(claim, request(queue(), limit).full());
    }

    static List<Record> rows(Claim claim, ClaimRequest request) {
        return claim.claim(request).map(claimed -> claimed.rows()).orElseGet(List::of);
    }

    static List<String> bodies(List<Record> rows) {
        return rows.stream()
                .map(row -> String.valueOf(queue().columns().payload(row).value()))
                .toList();
    }

    void insert(String body, int times) {
        insert(dsl, body, times);
    }

    static void insert(DSLContext writing, String body, int times) {
        for (int time = 0; time < times; time++) {
            writing.execute("insert into jobs (body) values (?)", body);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
