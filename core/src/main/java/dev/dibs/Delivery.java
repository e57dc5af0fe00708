package dev.dibs;

import java.time.Instant;
import java.util.Optional;

/**
 * A message in a handler's hands.
 *
 * @param payload what was enqueued
 * @param id the row's id
 * @param queue the queue's name
 * @param attempt which delivery this is, starting at 1; always 1 where no column counts them
 * @param dueAt when it became due, where a column tells
 */
public record Delivery<T>(T payload, Object id, String queue, int attempt, Optional<Instant> dueAt) {}
