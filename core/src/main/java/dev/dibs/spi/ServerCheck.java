package dev.dibs.spi;

import dev.dibs.table.QueueException;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DefaultConnectionProvider;

/** Asks a server what it is, and refuses one that is no home of queues. */
public record ServerCheck(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    /**
     * What the server answers when it is asked for its version.
     *
     * @throws QueueException if it does not understand the question
     */
    public String answer(Field<String> question) {
        requirePool();
        try {
            return transaction.single(
                    dsl, own -> own.select(question).fetchSingle().value1());
        } catch (DataAccessException notUnderstood) {
            throw new QueueException(
                    "%s: the DSLContext says %s, but its database did not answer to %s; give the DSLContext the SQLDialect of its database, and see that it can be reached (%s)"
                            .formatted(queue, dsl.family(), question, notUnderstood.getMessage()),
                    notUnderstood);
        }
    }

    /** Refuses a version before the oldest that serves. */
    public void require(Floor floor, ServerVersion seen) {
        if (seen.isBefore(floor.version())) {
            throw new QueueException(
                    "%s: the server is %s %s, and a queue needs %s %s or later, the first that can %s; upgrade the server"
                            .formatted(queue, floor.product(), seen, floor.product(), floor.version(), floor.reason()));
        }
    }

    /** The refusal of a server that is another than the DSLContext says. */
    public QueueException refused(String answer, String remedy) {
        return new QueueException("%s: the DSLContext says %s, but the server says that it is \"%s\"; %s"
                .formatted(queue, dsl.family(), answer, remedy));
    }

    private void requirePool() {
        if (dsl.configuration().connectionProvider() instanceof DefaultConnectionProvider) {
            throw new QueueException(
                    "%s: the DSLContext has a single connection, which the threads of a worker cannot share; make it from a DataSource"
                            .formatted(queue));
        }
    }

    /**
     * The oldest version of a product that can be a home of queues.
     *
     * @param reason what it is the first to be able to
     */
    public record Floor(String product, String version, String reason) {}
}
