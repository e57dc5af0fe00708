package dev.dibs.table;

import org.jooq.Field;

/** A column and the part that it plays. */
public record Column(Part part, Field<?> field) {

    /** The column as messages name it, for example {@code dueAt -> "retry_after"}. */
    @Override
    public String toString() {
        return "%s -> \"%s\"".formatted(part, field.getName());
    }
}
