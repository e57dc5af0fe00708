package dev.dibs.examples;

import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.Result;
import dev.dibs.schema.ManagedQueue;
import dev.dibs.schema.QueueSchema;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The snippet about awaiting a result. */
public final class Sums {

    private Sums() {}

    /** Enqueues one message, and waits for the value that its handler gives. */
    @SuppressWarnings("try") // the worker works until it is closed
    public static Optional<String> run(DataSource dataSource, SQLDialect dialect) throws InterruptedException {
        QueueSchema.migrate(dataSource);
        var dsl = DSL.using(dataSource, dialect);
        // tag::await[]
        Queue<String> sums =
                Queue.of(dsl, ManagedQueue.named("dibs_", null).withResults().text(), "sums");

        try (var worker = sums.worker().handle(delivery -> Outcome.done(solve(delivery.payload())))) {
            Optional<Result> result = sums.enqueue("6 * 7").await(Duration.ofSeconds(30));

            return result.flatMap(Result::value); // 42
        }
        // end::await[]
    }

    private static String solve(String product) {
        var factors = product.split(" \\* ", -1);
        return Integer.toString(Integer.parseInt(factors[0]) * Integer.parseInt(factors[1]));
    }
}
