package dev.dibs;

/**
 * Says that a message is in its queue.
 *
 * @param id the row's id
 * @param isNew whether this enqueue wrote it; if not, a message of its dedup key was there
 */
public record Receipt(Object id, boolean isNew) {}
