package dev.dibs.codegen;

import dev.dibs.table.Part;
import dev.dibs.table.QueueException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.TableDefinition;

/** Finds the columns of a table that play its parts: those that are stated, then those with conventional names. */
record ColumnFinder(TableDefinition table, Statement statement) {

    /** The columns by their parts. */
    Map<Part, ColumnDefinition> columns() {
        var columns = new EnumMap<Part, ColumnDefinition>(Part.class);
        for (var part : Part.values()) {
            statement
                    .column(part)
                    .map(name -> named(part.toString(), name))
                    .ifPresent(column -> add(columns, part, column));
        }
        for (var part : Part.values()) {
            if (!columns.containsKey(part) && !statement.excludes(part)) {
                byConvention(part, columns).ifPresent(column -> columns.put(part, column));
            }
        }
        return columns;
    }

    /** The columns of the lock key, which may play other parts too. */
    List<ColumnDefinition> lockKey() {
        return statement.lockKey().stream().map(name -> named("lockKey", name)).toList();
    }

    private ColumnDefinition named(String part, String name) {
        return table.getColumns().stream()
                .filter(column -> column.getName().equals(name))
                .findFirst()
                .or(() -> table.getColumns().stream()
                        .filter(column -> column.getName().equalsIgnoreCase(name))
                        .findFirst())
                .orElseThrow(() -> refused(
                        "the part %s is stated to be played by the column \"%s\", which this table does not have; its columns are %s"
                                .formatted(part, name, names(table.getColumns()))));
    }

    private void add(Map<Part, ColumnDefinition> columns, Part part, ColumnDefinition column) {
        columns.forEach((other, taken) -> {
            if (taken.equals(column)) {
                throw refused(
                        "the column \"%s\" is stated to play the part %s and cannot play %s too; leave one of them out"
                                .formatted(column.getName(), other, part));
            }
        });
        columns.put(part, column);
    }

    private Optional<ColumnDefinition> byConvention(Part part, Map<Part, ColumnDefinition> taken) {
        var found = candidates(part).stream()
                .filter(column -> !taken.containsValue(column))
                .toList();
        if (found.size() > 1) {
            throw refused(
                    "two columns could play the part %s, %s; state which one does, with %s=%s, or that none does, with %s=%s"
                            .formatted(part, names(found), part, found.get(0).getName(), part, Statement.NONE));
        }
        if (found.isEmpty() && statement.demands(part)) {
            throw refused(
                    "the part %s is stated, but no column has a name that is known for it (%s); state %s=.. with the column's name"
                            .formatted(part, String.join(", ", Convention.names(part)), part));
        }
        return found.stream().findFirst();
    }

    private List<ColumnDefinition> candidates(Part part) {
        if (part == Part.ID && keyColumns().size() == 1) {
            return keyColumns();
        }
        if (part == Part.LEASE_TOKEN && statement.form() != TableForm.LEASE) {
            return List.of();
        }
        return table.getColumns().stream()
                .filter(column -> Convention.isNamed(column, part))
                .toList();
    }

    private List<ColumnDefinition> keyColumns() {
        var key = table.getPrimaryKey();
        return key == null ? List.of() : key.getKeyColumns();
    }

    private static String names(List<ColumnDefinition> columns) {
        return columns.stream().map(column -> "\"" + column.getName() + "\"").collect(Collectors.joining(", "));
    }

    private QueueException refused(String why) {
        return new QueueException("table %s: %s".formatted(Mapping.name(table), why));
    }
}
