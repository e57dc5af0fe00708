package dev.dibs;

/** Handles one message and decides what becomes of it. */
@FunctionalInterface
public interface Handler<T> {

    /**
     * Handles a message. Called by several threads at once.
     *
     * @return what becomes of it
     * @throws Exception to have it tried again, as the retry policy says
     */
    Outcome handle(Delivery<T> delivery) throws Exception;
}
