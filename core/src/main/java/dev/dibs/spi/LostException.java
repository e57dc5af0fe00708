package dev.dibs.spi;

import org.jspecify.annotations.Nullable;

/** The claim no longer holds its rows, so nothing was written: they are somebody else's. */
public final class LostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says what was seen. */
    public LostException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
