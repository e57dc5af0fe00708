package dev.dibs.codegen;

import org.jooq.codegen.JavaGenerator;
import org.jooq.meta.SchemaDefinition;

/**
 * jOOQ's own generator, which also writes the mapping of each queue table: {@code <name>} in the {@code <generator>} of a
 * jOOQ configuration.
 *
 * <p>A generator of yours extends it, or does in its own {@code generateTables} what this one does.
 */
public class QueueGenerator extends JavaGenerator {

    /** A generator that writes a mapping for the tables that are stated to be queues. */
    public QueueGenerator() {}

    // Not in generateTable: what is thrown there is logged, and the build goes on.
    @Override
    protected void generateTables(SchemaDefinition schema) {
        super.generateTables(schema);
        for (var queue : QueueClass.of(this, schema)) {
            var out = newJavaWriter(queue.file());
            queue.writeTo(out, column -> getJavaType(column.getType(resolver(out)), out));
            closeJavaWriter(out);
        }
    }
}
