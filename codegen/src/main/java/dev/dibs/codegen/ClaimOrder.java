package dev.dibs.codegen;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.table.Part;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.SortOrder;
import org.jooq.impl.DSL;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.IndexColumnDefinition;
import org.jooq.meta.IndexDefinition;

/**
 * The order in which a table's rows are claimed, and the index that has it.
 *
 * <p>Queue and priority are compared with one value each, so that their order does not matter; the due time and the id
 * order the rest. jOOQ does not tell which indexes are partial, so that for kept rows that are finished either way of
 * having them out of the way will do; the check at the worker's start sees more.
 */
record ClaimOrder(Mapping mapping) {

    /** What to say if no index has this order. */
    Optional<String> warning() {
        return !isThatOfTheKey() && indexes().stream().noneMatch(this::isThatOf)
                ? Optional.of("table %s: no index serves the claim order, so each claim sorts the rows; create one: %s"
                        .formatted(mapping.name(), statement()))
                : Optional.empty();
    }

    private boolean isThatOfTheKey() {
        return names(Stream.of(Part.QUEUE, Part.PRIORITY, Part.DUE_AT)).isEmpty()
                && mapping.find(Part.FINISHED_AT).isEmpty();
    }

    private List<IndexDefinition> indexes() {
        return mapping.table().getIndexes();
    }

    private boolean isThatOf(IndexDefinition index) {
        var columns =
                index.getIndexColumns().stream().map(ClaimOrder::ascending).toList();
        return begins(columns, names(Stream.of(Part.QUEUE, Part.PRIORITY)))
                || begins(columns, names(Stream.of(Part.QUEUE, Part.PRIORITY, Part.FINISHED_AT)));
    }

    private boolean begins(List<String> columns, List<String> compared) {
        var ordered = names(endsWithTheKey() ? Stream.of(Part.DUE_AT) : Stream.of(Part.DUE_AT, Part.ID));
        var all = compared.size() + ordered.size();
        return columns.size() >= all
                && new HashSet<>(columns.subList(0, compared.size())).equals(new HashSet<>(compared))
                && columns.subList(compared.size(), all).equals(ordered);
    }

    // The MySQL family and SQLite end each index with the row's key by themselves.
    private boolean endsWithTheKey() {
        return isMysql() || family() == SQLDialect.SQLITE;
    }

    private boolean isMysql() {
        return family() == SQLDialect.MYSQL || family() == SQLDialect.MARIADB;
    }

    private SQLDialect family() {
        return mapping.table().getDatabase().getDialect().family();
    }

    // A descending column orders nothing that a claim asks for; no column has this name.
    private static String ascending(IndexColumnDefinition column) {
        return column.getSortOrder() == SortOrder.DESC ? "" : column.getColumn().getName();
    }

    private List<String> names(Stream<Part> parts) {
        return parts.flatMap(part -> mapping.find(part).stream())
                .map(ColumnDefinition::getName)
                .toList();
    }

    private String statement() {
        var table = mapping.table().getName();
        var index = DSL.using(family()).createIndex(name(table + "_claim")).on(table(name(table)), fields());
        var finished = mapping.find(Part.FINISHED_AT);
        return finished.isEmpty() || isMysql()
                ? index.getSQL()
                : index.where(field(name(finished.get().getName())).isNull()).getSQL();
    }

    private List<Field<Object>> fields() {
        var apart = isMysql() ? Stream.of(Part.FINISHED_AT) : Stream.<Part>empty();
        return names(Stream.of(Stream.of(Part.QUEUE), apart, Stream.of(Part.PRIORITY, Part.DUE_AT, Part.ID))
                        .flatMap(parts -> parts))
                .stream()
                .map(column -> field(name(column)))
                .toList();
    }
}
