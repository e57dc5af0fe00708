package dev.dibs.spi;

import org.jooq.exception.DataAccessException;

/** A commit whose answer never came: what it wrote may be there, or not. */
public final class UnansweredException extends DataAccessException {

    private static final long serialVersionUID = 1L;

    /** Says what was seen. */
    public UnansweredException(String message, Throwable cause) {
        super(message, cause);
    }
}
