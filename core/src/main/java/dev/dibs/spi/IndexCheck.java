package dev.dibs.spi;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a queue's table has the index that its claims read, and warns if not.
 *
 * <p>The indexes are looked at, and not the plan of a claim: the best plan for an empty or a small table needs none.
 */
public record IndexCheck(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    private static final Logger LOG = LoggerFactory.getLogger(IndexCheck.class);

    /**
     * Warns if there is no such index, with the statement that makes one.
     *
     * @param kept how an index keeps finished rows out of the way on this database
     * @param cost what each claim does without it
     */
    public void warnIfMissing(KeptRows kept, String cost) {
        var needed = new ClaimIndex(queue.from(), queue.table()::find, kept);
        if (!needed.isTheTable()
                && indexes().stream().noneMatch(index -> needed.isServedBy(index.columns(), index::isPartialOn))) {
            LOG.warn(
                    "{}: no index serves the claim order, so each claim {}; create one: {}",
                    queue,
                    cost,
                    dsl.renderInlined(needed.statement(dsl)));
        }
    }

    private List<TableIndex> indexes() {
        var table = dsl.map(queue.from()).getQualifiedName();
        try {
            return transaction.single(
                    dsl,
                    own -> own.connectionResult(connection -> TableIndex.of(connection, table, isSchemaADatabase())));
        } catch (DataAccessException unreadable) {
            LOG.debug("{}: the indexes cannot be read", queue, unreadable);
            return List.of();
        }
    }

    private boolean isSchemaADatabase() {
        return dsl.family() == SQLDialect.MYSQL || dsl.family() == SQLDialect.MARIADB;
    }
}
