package dev.dibs.codegen;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.dibs.spi.ClaimIndex;
import dev.dibs.spi.KeptRows;
import dev.dibs.table.Part;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.SortOrder;
import org.jooq.impl.DSL;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.IndexColumnDefinition;

/** Looks whether a table has the index that its claims read, as the check at a worker's start does. */
record ClaimOrder(Mapping mapping) {

    /** What to say if no index has the order of the claims. */
    Optional<String> warning() {
        var needed = new ClaimIndex(table(name(mapping.table().getName())), this::column, kept());
        // jOOQ does not tell which indexes are partial, so that each one may be.
        return needed.isTheTable() || indexes().anyMatch(index -> needed.isServedBy(index, column -> true))
                ? Optional.empty()
                : Optional.of("table %s: no index serves the claim order, so each claim sorts the rows; create one: %s"
                        .formatted(mapping.name(), statement(needed)));
    }

    private Stream<List<String>> indexes() {
        var indexes = mapping.table().getIndexes().stream()
                .map(index -> index.getIndexColumns().stream()
                        .map(ClaimOrder::ascending)
                        .toList());
        var keys = mapping.table().getKeys().stream()
                .map(key -> key.getKeyColumns().stream()
                        .map(ColumnDefinition::getName)
                        .toList());
        return Stream.concat(indexes, keys);
    }

    // A descending column orders nothing that a claim asks for; no column has this name.
    private static String ascending(IndexColumnDefinition column) {
        return column.getSortOrder() == SortOrder.DESC ? "" : column.getColumn().getName();
    }

    private Optional<Field<Object>> column(Part part) {
        return mapping.find(part).map(column -> field(name(column.getName())));
    }

    // A script may be that of any database.
    private KeptRows kept() {
        return switch (family()) {
            case MYSQL, MARIADB -> KeptRows.SET_APART;
            case POSTGRES -> KeptRows.LEFT_OUT;
            default -> KeptRows.EITHER;
        };
    }

    private String statement(ClaimIndex needed) {
        var dsl = DSL.using(family());
        return dsl.renderInlined(needed.statement(dsl));
    }

    private SQLDialect family() {
        return mapping.table().getDatabase().getDialect().family();
    }
}
