package dev.dibs.spi;

import org.jooq.Record;

/**
 * A row in hand.
 *
 * @param row its mapped columns, as {@link RowColumns} selects them
 * @param hold what holds it
 */
public record Claimed(Record row, Hold hold) {}
