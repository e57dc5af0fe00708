package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_DEAD_LETTER;
import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static dev.dibs.schema.jooq.Tables.DIBS_QUEUE;
import static dev.dibs.schema.jooq.Tables.DIBS_RESULT;
import static org.jooq.impl.DSL.quotedName;

import dev.dibs.schema.jooq.tables.DibsDeadLetter;
import dev.dibs.schema.jooq.tables.DibsMessage;
import dev.dibs.schema.jooq.tables.DibsQueue;
import dev.dibs.schema.jooq.tables.DibsResult;
import java.nio.charset.StandardCharsets;
import org.jooq.Name;
import org.jspecify.annotations.Nullable;

/**
 * The managed tables under the names they have in one database.
 *
 * @param schema null: the schema that the connection is in
 */
record ManagedTables(@Nullable String schema, String prefix) {

    static final String DEFAULT_PREFIX = "dibs_";

    /** PostgreSQL cuts names at 63 bytes; the longest name made here adds 20. */
    private static final int LONGEST_PREFIX = 40;

    private static final String NOT_IN_NAMES = "\"`'\\{}";

    ManagedTables {
        check("prefix", prefix);
        if (bytes(prefix) > LONGEST_PREFIX) {
            throw new IllegalArgumentException(
                    "prefix \"%s\" has %d bytes; it has at most %d".formatted(prefix, bytes(prefix), LONGEST_PREFIX));
        }
        if (schema != null) {
            check("schema", schema);
            if (schema.isEmpty()) {
                throw new IllegalArgumentException(
                        "schema is empty; name one, or leave it out for the one that the connection is in");
            }
        }
    }

    DibsMessage message() {
        return DIBS_MESSAGE.rename(named("message"));
    }

    DibsDeadLetter deadLetter() {
        return DIBS_DEAD_LETTER.rename(named("dead_letter"));
    }

    DibsQueue queue() {
        return DIBS_QUEUE.rename(named("queue"));
    }

    DibsResult result() {
        return DIBS_RESULT.rename(named("result"));
    }

    /** Where Flyway writes down which of our scripts have run. */
    String history() {
        return prefix + "schema_history";
    }

    ManagedTables in(String otherSchema) {
        return new ManagedTables(otherSchema, prefix);
    }

    @Override
    public String toString() {
        var tables = "tables \"" + prefix + "*\"";
        return schema == null ? tables : tables + " in schema \"" + schema + "\"";
    }

    private Name named(String table) {
        return schema == null ? quotedName(prefix + table) : quotedName(schema, prefix + table);
    }

    // Names stand in quotes everywhere, in scripts, in Flyway's statements and in jOOQ's: so only what ends a quote is
    // out, and the braces of Flyway's placeholders.
    private static void check(String setting, String name) {
        name.codePoints()
                .filter(c -> Character.isISOControl(c) || NOT_IN_NAMES.indexOf(c) >= 0)
                .findFirst()
                .ifPresent(c -> {
                    throw new IllegalArgumentException(
                            "%s \"%s\" holds %s; quotes, backslashes, braces and control characters are not allowed in it"
                                    .formatted(setting, name, Character.getName(c)));
                });
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }
}
