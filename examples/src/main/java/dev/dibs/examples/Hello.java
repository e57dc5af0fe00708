package dev.dibs.examples;

import dev.dibs.Queue;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import dev.dibs.wake.WakeAfterCommit;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/** The README's first snippet. */
public final class Hello {

    private Hello() {}

    /** Enqueues one message in the caller's transaction and handles it. */
    @SuppressWarnings("try") // the worker works until it is closed
    public static void run(DataSource dataSource, SQLDialect dialect) throws InterruptedException {
        var greeted = new CountDownLatch(1);
        // tag::hello[]
        QueueSchema.migrate(dataSource);
        var dsl = DSL.using(
                new DefaultConfiguration().set(dataSource).set(dialect).set(new WakeAfterCommit()));
        Queue<String> greetings = Queue.of(dsl, ManagedQueue.ofText(), "greetings");

        dsl.transaction(tx -> {
            // your own writes go here, and commit with the message
            greetings.enqueue(tx, "world");
        });

        try (var worker = greetings.worker().concurrency(8).closeOnShutdown().consume(name -> {
            System.out.println("Hello, " + name + "!");
            greeted.countDown();
        })) {
            greeted.await();
        }
        // end::hello[]
    }
}
