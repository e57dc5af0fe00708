package dev.dibs;

import java.util.Map;
import org.jooq.Field;

/** A message and the row that is to hold it. */
record NewRow<T>(Message<T> message, Map<Field<?>, Object> values) {}
