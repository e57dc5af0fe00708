package dev.dibs;

import dev.dibs.spi.QueueRef;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a whole transaction of Dibs' own again when the database has rolled it back to let another one through.
 *
 * <p>Two bulks of the same dedup keys in another order wait for each other, and so may claims and settlements where
 * the database reads more rows than they ask for; one of them has to begin anew.
 */
record Again(QueueRef queue) {

    private static final Logger LOG = LoggerFactory.getLogger(Again.class);

    /** The class of SQL states that tell of it. */
    private static final String ROLLED_BACK = "40";

    /** Of MariaDB, for a row that somebody has changed since the statement that locks it began; it is no deadlock to it. */
    private static final int CHANGED_SINCE_LAST_READ = 1020;

    /** Each time at least one other transaction got through. */
    private static final int MOST_TIMES = 20;

    <R> R run(Supplier<R> transaction) {
        for (int time = 1; time < MOST_TIMES; time++) {
            try {
                return transaction.get();
            } catch (RuntimeException failed) {
                if (!isRolledBackForAnother(failed)) {
                    throw failed;
                }
                LOG.debug(
                        "{}: a transaction was rolled back to let another one through, and begins anew", queue, failed);
            }
        }
        return transaction.get();
    }

    private static boolean isRolledBackForAnother(RuntimeException failed) {
        return SqlCause.of(failed)
                .filter(sql -> String.valueOf(sql.getSQLState()).startsWith(ROLLED_BACK)
                        || sql.getErrorCode() == CHANGED_SINCE_LAST_READ)
                .isPresent();
    }
}
