package dev.dibs.examples;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.RetryPolicy;
import dev.dibs.Worker;
import dev.dibs.examples.invoices.Invoice;
import dev.dibs.examples.invoices.InvoicePage;
import dev.dibs.schema.ManagedQueue;
import java.nio.file.Path;
import java.time.Duration;
import org.jooq.impl.DSL;

/** One instance of the invoice service: a pool of its own, and a worker that renders invoices. */
final class InvoiceService implements AutoCloseable {

    static final String QUEUE = "invoices";
    static final Duration POLL_INTERVAL = Duration.ofMillis(250);

    private static final int HANDLERS = 4;
    private static final int CONNECTIONS = HANDLERS + 2;
    private static final RetryPolicy RETRY = RetryPolicy.exponential(Duration.ofMillis(200), Duration.ofSeconds(1))
            .attempts(3);

    private final HikariDataSource pool;
    private final Worker worker;

    private InvoiceService(HikariDataSource pool, Worker worker) {
        this.pool = pool;
        this.worker = worker;
    }

    /** Starts an instance. */
    static InvoiceService start(String name, Place place, Path folder, Statistics statistics) {
        var pool = place.pool(CONNECTIONS);
        var worker = queue(pool, place)
                .worker()
                .concurrency(HANDLERS)
                .pollInterval(POLL_INTERVAL)
                .retry(RETRY)
                .events(statistics.of(name))
                .closeOnShutdown()
                .handle(delivery -> {
                    statistics.started(delivery);
                    InvoicePage.write(Invoice.parse(delivery.payload()), folder);
                    return Outcome.done();
                });
        return new InvoiceService(pool, worker);
    }

    /** The queue of invoices, as every program of the service sees it. */
    static Queue<String> queue(HikariDataSource pool, Place place) {
        return Queue.of(DSL.using(pool, place.database().dialect()), ManagedQueue.ofText(), QUEUE);
    }

    @Override
    public void close() {
        worker.close();
        pool.close();
    }
}
