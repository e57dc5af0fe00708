package dev.dibs.mysql;

import static org.jooq.impl.DSL.function;

import dev.dibs.spi.IndexCheck;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.KeptRows;
import dev.dibs.spi.KeyLocksProbe;
import dev.dibs.spi.NameLimit;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.ServerCheck;
import dev.dibs.spi.ServerVersion;
import dev.dibs.spi.SkipLockedProbe;
import dev.dibs.spi.TableCheck;
import dev.dibs.spi.TwoConnections;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import java.util.Map;
import org.jooq.DSLContext;

/** What a MySQL or MariaDB server and the queue's table must be before a worker starts. */
record MysqlCheck(DSLContext dsl, QueueRef queue, JdbcTransaction transaction) {

    private static final int LONGEST_NAME = 64;

    void run() {
        requireServer();
        NameLimit.characters(LONGEST_NAME).check(queue);
        new TableCheck(dsl, queue, transaction).run();
        requireStrictMode();
        new MysqlTimes(dsl, queue, transaction).run();
        requireRowsInTheBinaryLog();
        requireLocks();
        new IndexCheck(dsl, queue, transaction)
                .warnIfMissing(
                        KeptRows.SET_APART,
                        "sorts the whole queue and locks every row that it sorts, which hides them from other claims");
    }

    private void requireStrictMode() {
        transaction.single(dsl, own -> {
            StrictMode.check(own, queue);
            return own;
        });
    }

    private void requireLocks() {
        var isAdvisory = queue.table().lockForm() == LockForm.ADVISORY;
        if (isAdvisory || queue.isOrdered()) {
            new KeyLocksProbe<>(new TwoConnections(dsl, queue, transaction), new MysqlKeyLocks()).run();
        }
        if (!isAdvisory) {
            SkipLockedProbe.of(dsl, queue, transaction).run();
        }
    }

    private void requireServer() {
        var server = new ServerCheck(dsl, queue, transaction);
        var answer = server.answer(function("version", String.class));
        var product = Product.of(answer);
        if (product.isEmpty()) {
            throw server.refused(answer, "give the DSLContext the SQLDialect of its database, if Dibs has one for it");
        }
        if (product.get().dialect() != dsl.family()) {
            throw server.refused(
                    answer,
                    "give the DSLContext SQLDialect.%s, for the two are not one where queues are concerned"
                            .formatted(product.get().dialect()));
        }
        server.require(product.get().floor(), new ServerVersion(answer));
    }

    private void requireRowsInTheBinaryLog() {
        var variables = transaction.single(dsl, MysqlCheck::binaryLog);
        var format = variables.getOrDefault("binlog_format", "");
        if (variables.getOrDefault("log_bin", "").equalsIgnoreCase("ON") && format.equalsIgnoreCase("STATEMENT")) {
            throw new QueueException(
                    "%s: the server's binlog_format is %s, and it refuses what a claim writes at READ COMMITTED then; set it to ROW or MIXED, for the server or for these sessions"
                            .formatted(queue, format));
        }
    }

    // jOOQ has no words for it, and each of the two servers keeps its variables in other tables.
    private static Map<String, String> binaryLog(DSLContext own) {
        return own.resultQuery("show variables where variable_name in ('log_bin', 'binlog_format')")
                .fetchMap(row -> row.get(0, String.class), row -> row.get(1, String.class));
    }
}
