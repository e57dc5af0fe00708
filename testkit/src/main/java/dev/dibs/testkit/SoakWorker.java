package dev.dibs.testkit;

import dev.dibs.Outcome;
import dev.dibs.RetryPolicy;
import dev.dibs.Worker;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** A worker that writes each of its messages into a ledger, in this process or in one of its own. */
final class SoakWorker {

    static final Table<Record> LEDGER = DSL.table(DSL.name("ledger"));
    static final Field<Integer> ENTRY = DSL.field(DSL.name("ledger", "entry"), SQLDataType.INTEGER);

    private static final int CONNECTIONS = 8;
    private static final int HANDLERS = 4;
    private static final Duration LEASE = Duration.ofSeconds(2);

    private SoakWorker() {}

    static Instance instance(Address address) {
        return Instance.at(address, CONNECTIONS);
    }

    static Worker start(Instance instance, JobTable jobs) {
        return instance.queue(
                        jobs.mapped(LockForm.LEASE, new JobTable(jobs.getName() + "_dead")),
                        "mail",
                        TimeSource.database())
                .worker()
                .concurrency(HANDLERS)
                .lease(LEASE)
                .pollInterval(TableContract.POLL)
                .retry(RetryPolicy.fixed(Duration.ofMillis(10)).withoutLimit())
                .transact((tx, delivery) -> {
                    tx.dsl()
                            .insertInto(LEDGER, ENTRY)
                            .values(Integer.valueOf(delivery.payload()))
                            .execute();
                    return Outcome.done();
                });
    }

    /** One in a process of its own, which is to be killed. */
    static Process startProcess(Address address, JobTable jobs) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        SoakWorker.class.getName(),
                        address.url(),
                        address.user(),
                        address.password(),
                        address.dialect().name(),
                        jobs.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        var address = new Address(args[0], args[1], args[2], SQLDialect.valueOf(args[3]));
        try (var instance = instance(address);
                var worker = start(instance, new JobTable(args[4]))) {
            worker.join();
        }
    }
}
