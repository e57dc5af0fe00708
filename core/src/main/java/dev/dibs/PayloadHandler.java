package dev.dibs;

/** Handles a message by its payload; returning means done. */
@FunctionalInterface
public interface PayloadHandler<T> {

    /**
     * Handles a payload. Called by several threads at once.
     *
     * @throws Exception to have the message tried again, as the retry policy says
     */
    void handle(T payload) throws Exception;
}
