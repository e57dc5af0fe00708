package dev.dibs;

import java.sql.SQLException;
import java.util.Optional;

/** What the driver said, beneath jOOQ's exception or that of a framework which translates it. */
final class SqlCause {

    private SqlCause() {}

    /** The first cause that is the driver's. */
    static Optional<SQLException> of(Throwable thrown) {
        for (var cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return Optional.of(sql);
            }
        }
        return Optional.empty();
    }
}
