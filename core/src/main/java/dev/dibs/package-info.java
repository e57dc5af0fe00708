/**
 * Dibs turns database tables into work queues. A message's way, in five verbs:
 *
 * <ol>
 *   <li><b>enqueue</b>: {@link dev.dibs.Queue#enqueue(Object)} writes a row, in a transaction of its own or in yours.
 *   <li><b>claim</b>: {@code ClaimLoop} takes as many ready rows as there is room for, through the
 *       {@link dev.dibs.spi.Claim} of the database and the lock form.
 *   <li><b>handle</b>: {@code Handling} gives your handler a {@link dev.dibs.Delivery} and gets an
 *       {@link dev.dibs.Outcome}.
 *   <li><b>settle</b>: {@code Settlement} writes the outcome, if the claim still holds the row.
 *   <li><b>wake</b>: {@link dev.dibs.wake.WakeRegistry} tells sleeping workers to look again.
 * </ol>
 */
@NullMarked
package dev.dibs;

import org.jspecify.annotations.NullMarked;
