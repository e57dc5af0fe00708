package dev.dibs.codegen;

import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Name;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.SchemaDefinition;
import org.jooq.meta.TableDefinition;
import org.jspecify.annotations.Nullable;

/** A queue table with the columns that play its parts, found and checked. */
record Mapping(
        TableDefinition table,
        TableForm form,
        Map<Part, ColumnDefinition> columns,
        @Nullable List<ColumnDefinition> lockColumns) {

    /**
     * Maps the tables of a schema that are stated to be queues.
     *
     * @throws QueueException telling of all that cannot be mapped
     */
    static List<Mapping> all(SchemaDefinition schema) {
        var statements = Statements.of(schema.getDatabase());
        var mappings = new ArrayList<Mapping>();
        var refusals = new ArrayList<String>();
        for (var table : schema.getDatabase().getTables(schema)) {
            try {
                statements.find(table).map(statement -> of(table, statement)).ifPresent(mappings::add);
            } catch (QueueException refused) {
                refusals.add(refused.getMessage());
            }
        }
        if (!refusals.isEmpty()) {
            throw new QueueException(String.join("\n", refusals));
        }
        return mappings;
    }

    /**
     * Maps a table as stated.
     *
     * @throws QueueException naming the table, the column and the remedy
     */
    static Mapping of(TableDefinition table, Statement statement) {
        var finder = new ColumnFinder(table, statement);
        var lockKey = statement.form() == TableForm.ADVISORY ? finder.lockKey() : null;
        var mapping = new Mapping(table, statement.form(), Collections.unmodifiableMap(finder.columns()), lockKey);
        new MappingCheck(mapping).run();
        return mapping;
    }

    /** A table's name as messages write it. */
    static String name(TableDefinition table) {
        return joined(table.getQualifiedNamePart());
    }

    /** The table's name as messages write it. */
    String name() {
        return name(table);
    }

    /** The table's name as generated code has it: where schemas are mapped, that of the mapped one. */
    String generatedName() {
        return joined(table.getQualifiedOutputNamePart());
    }

    /** The column that identifies a row. */
    ColumnDefinition id() {
        return find(Part.ID).orElseThrow();
    }

    /** The payload's column, if the payload is not the whole row. */
    Optional<ColumnDefinition> payload() {
        return find(Part.PAYLOAD);
    }

    /** The columns of the lock key, in the advisory form. */
    Optional<List<ColumnDefinition>> lockKey() {
        return Optional.ofNullable(lockColumns);
    }

    /** The column that plays a part, if one does. */
    Optional<ColumnDefinition> find(Part part) {
        return Optional.ofNullable(columns.get(part));
    }

    /** The columns of all parts but id and payload, in the order of {@link Part}. */
    Map<Part, ColumnDefinition> others() {
        var others = new EnumMap<>(columns);
        others.remove(Part.ID);
        others.remove(Part.PAYLOAD);
        return others;
    }

    /** What is missing beside the table's columns, with the statements that create it. */
    List<String> warnings() {
        if (!form.isClaimed() || !knowsIndexes()) {
            return List.of();
        }
        return Stream.of(new ClaimOrder(this).warning(), new DedupIndex(this).warning())
                .flatMap(Optional::stream)
                .toList();
    }

    private boolean knowsIndexes() {
        return table.getDatabase().getIncludeIndexes() && !table.isView();
    }

    /** The mapping as the log of a build shows it. */
    @Override
    public String toString() {
        var parts = columns.entrySet().stream()
                .map(entry -> "%s -> \"%s\""
                        .formatted(entry.getKey(), entry.getValue().getName()))
                .collect(Collectors.joining(", "));
        return "table %s: %s; %s".formatted(name(), form.description(), parts);
    }

    private static String joined(Name name) {
        return Arrays.stream(name.getName()).filter(part -> !part.isEmpty()).collect(Collectors.joining("."));
    }
}
