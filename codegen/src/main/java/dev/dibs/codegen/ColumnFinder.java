package dev.dibs.codegen;

import dev.dibs.table.LockForm;
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
            statement.column(part).map(name -> named(part.toString(), name)).ifPresent(column -> add(columns, part, column));
        }
        for (var part : Part.values()) {
            if (!statement.tells(part)) {
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
                .orElseThrow(() -> new QueueException(
                        "table %s: the part %s is stated to be played by the column \"%s\", which this table does not have; its columns are %s"
                                .formatted(Mapping.name(table), part, name, names(table.getColumns()))));
    }

    private void add(Map<Part, ColumnDefinition> columns, Part part, ColumnDefinition column) {
        columns.forEach((other, taken) -> {
            if (taken.equals(column)) {
                throw new QueueException("table %s: the column \"%s\" is stated to play the part %s and cannot play %s too; leave one of them out"
                        .formatted(Mapping.name(table), column.getName(), other, part));
            }
        });
        columns.put(part, column);
    }

    private Optional<ColumnDefinition> byConvention(Part part, Map<Part, ColumnDefinition> taken) {
        if (part == Part.ID && keyColumns().size() == 1) {
            return Optional.of(keyColumns().get(0));
        }
        if (part == Part.LEASE_TOKEN && statement.form() != LockForm.LEASE) {
            return Optional.empty();
        }
        var found = table.getColumns().stream()
                .filter(column -> Convention.isNamed(column, part) && !taken.containsValue(column))
                .toList();
        if (found.size() > 1) {
            throw new QueueException(
                    "table %s: two columns could play the part %s, %s; state which one does, with %s=%s, or that none does, with %s=%s"
                            .formatted(
                                    Mapping.name(table),
                                    part,
                                    names(found),
                                    part,
                                    found.get(0).getName(),
                                    part,
                                    Statement.NONE));
        }
        return found.stream().findFirst();
    }

    private List<ColumnDefinition> keyColumns() {
        var key = table.getPrimaryKey();
        return key == null ? List.of() : key.getKeyColumns();
    }

    private static String names(List<ColumnDefinition> columns) {
        return columns.stream()
                .map(column -> "\"" + column.getName() + "\"")
                .collect(Collectors.joining(", "));
    }
}
