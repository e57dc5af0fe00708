package dev.dibs;

import java.util.List;

/** Handles several messages at once and decides what becomes of them. */
@FunctionalInterface
public interface BatchHandler<T> {

    /**
     * Handles messages, in claim order; at least one. Called by several threads at once.
     *
     * @return what becomes of all, or of each
     * @throws Exception to have all of them tried again, as the retry policy says
     */
    Outcomes handle(List<Delivery<T>> deliveries) throws Exception;
}
