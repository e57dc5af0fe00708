package dev.dibs;

/**
 * Says that a message is in its queue.
 *
 * @param id the row's id
 */
public record Receipt(Object id) {}
