package dev.dibs.codegen;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.table.Part;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.impl.DSL;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.IndexColumnDefinition;
import org.jooq.meta.IndexDefinition;

/** The unique index without which a table's dedup key would hold nobody back, and messages with one are refused. */
record DedupIndex(Mapping mapping) {

    /** What to say if the table has a dedup key and not this index. */
    Optional<String> warning() {
        return mapping.find(Part.DEDUP_KEY).isPresent() && unique().noneMatch(Set.copyOf(columns())::equals)
                ? Optional.of(
                        "table %s: no unique index keeps a dedup key once, so that none can be used; create one: %s"
                                .formatted(mapping.name(), statement()))
                : Optional.empty();
    }

    private Stream<Set<String>> unique() {
        var keys = mapping.table().getUniqueKeys().stream().map(key -> names(key.getKeyColumns()));
        var indexes = mapping.table().getIndexes().stream()
                .filter(IndexDefinition::isUnique)
                .map(index -> names(index.getIndexColumns().stream()
                        .map(IndexColumnDefinition::getColumn)
                        .toList()));
        return Stream.concat(keys, indexes);
    }

    private static Set<String> names(List<ColumnDefinition> columns) {
        return columns.stream().map(ColumnDefinition::getName).collect(Collectors.toSet());
    }

    private List<String> columns() {
        return Stream.of(Part.QUEUE, Part.DEDUP_KEY)
                .flatMap(part -> mapping.find(part).stream())
                .map(ColumnDefinition::getName)
                .toList();
    }

    private String statement() {
        var table = mapping.table().getName();
        return DSL.using(mapping.table().getDatabase().getDialect())
                .createUniqueIndex(name(table + "_dedup"))
                .on(
                        table(name(table)),
                        columns().stream().map(column -> field(name(column))).toList())
                .getSQL();
    }
}
