package dev.dibs.examples;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.Queue;
import dev.dibs.table.QueueTable;
import java.time.LocalDateTime;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** A table that an application had before it met Dibs, as a queue in each lock form. */
public final class OwnTable {

    /** Print jobs: identified by a ticket, printed not before a time, each on one printer. */
    static final Table<Record> PRINT_JOB = table(name("print_job"));

    static final Field<String> TICKET = column("ticket", SQLDataType.VARCHAR(36));
    static final Field<String> DOCUMENT = column("document", SQLDataType.VARCHAR(2_000));
    static final Field<String> PRINTER = column("printer", SQLDataType.VARCHAR(40));
    static final Field<LocalDateTime> NOT_BEFORE = column("not_before", SQLDataType.LOCALDATETIME(6));
    static final Field<Integer> TRIES = column("tries", SQLDataType.INTEGER);
    static final Field<LocalDateTime> TAKEN_UNTIL = column("taken_until", SQLDataType.LOCALDATETIME(6));

    private OwnTable() {}

    /** The table as the application's migrations have made it. */
    static void create(DSLContext dsl) {
        var time = switch (dsl.family()) {
            case MYSQL, MARIADB -> "datetime(6)";
            case SQLITE -> "text";
            default -> "timestamp";
        };
        dsl.execute("""
                create table print_job (
                  ticket      varchar(36) not null primary key,
                  document    varchar(2000) not null,
                  printer     varchar(40),
                  not_before  %1$s not null,
                  tries       int,
                  taken_until %1$s
                )""".formatted(time));
        dsl.execute("create index print_job_claim on print_job (not_before, ticket)");
    }

    // tag::mapping[]
    /** A row is locked by the transaction in which its document is printed. */
    static QueueTable<String> byRowLock() {
        return QueueTable.of(PRINT_JOB, TICKET, DOCUMENT)
                .ids(() -> UUID.randomUUID().toString())
                .dueAt(NOT_BEFORE)
                .attempt(TRIES);
    }

    /** A row is taken until a time. */
    static QueueTable<String> byLease() {
        return byRowLock().leasedUntil(TAKEN_UNTIL);
    }

    /** A printer is locked: it prints one document at a time, whichever instance sends it. */
    static QueueTable<String> byPrinter() {
        return byRowLock().lockKey(PRINTER);
    }
    // end::mapping[]

    /** Two documents: one by Dibs, one by the application's own insert, which also tells the printer. */
    static void print(DSLContext dsl, Queue<String> jobs) {
        jobs.enqueue("a letter");
        dsl.insertInto(PRINT_JOB, TICKET, DOCUMENT, PRINTER, NOT_BEFORE)
                .values("T-1", "a poster", "second floor", LocalDateTime.of(2026, 3, 1, 12, 0))
                .execute();
        jobs.wake();
    }

    private static <T> Field<T> column(String name, DataType<T> type) {
        return field(name("print_job", name), type);
    }
}
