package dev.dibs.testkit;

import dev.dibs.Outcome;
import dev.dibs.RetryPolicy;
import dev.dibs.Worker;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import org.jooq.Field;
import org.jooq.Record;
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
        return ChildJvm.of(SoakWorker.class, address, jobs.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        try (var instance = instance(ChildJvm.address(args));
                var worker = start(instance, new JobTable(args[ChildJvm.ADDRESS]))) {
            worker.join();
        }
    }
}
