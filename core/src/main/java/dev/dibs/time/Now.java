package dev.dibs.time;

import org.jooq.Field;

/**
 * One reading of a clock, as SQL: microseconds since 1970 in UTC.
 *
 * @param compared for conditions: fixed while a statement runs, so that an index can serve it
 * @param written for values: never older than the moment when the statement executes
 */
public record Now(Field<Long> compared, Field<Long> written) {}
