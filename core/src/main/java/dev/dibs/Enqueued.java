package dev.dibs;

/**
 * A message's row, as its insert left it.
 *
 * @param isNew whether the insert wrote it; if not, a row of its dedup key was there
 */
record Enqueued(Object id, boolean isNew) {}
