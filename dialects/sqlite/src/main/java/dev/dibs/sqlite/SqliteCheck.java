package dev.dibs.sqlite;

import static org.jooq.impl.DSL.function;

import dev.dibs.spi.IndexCheck;
import dev.dibs.spi.KeptRows;
import dev.dibs.spi.OwnTransaction;
import dev.dibs.spi.QueueRef;
import dev.dibs.spi.ServerCheck;
import dev.dibs.spi.ServerCheck.Floor;
import dev.dibs.spi.ServerVersion;
import dev.dibs.spi.TableCheck;
import java.util.Locale;
import org.jooq.DSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What SQLite, its file and the queue's table must be before a worker starts. */
record SqliteCheck(DSLContext dsl, QueueRef queue, OwnTransaction transaction) {

    private static final Logger LOG = LoggerFactory.getLogger(SqliteCheck.class);
    private static final Floor FLOOR = new Floor("SQLite", "3.35", "return the rows that an update wrote");
    private static final String WRITE_AHEAD = "wal";

    void run() {
        requireVersion();
        SharedMemory.check(dsl, queue);
        new TableCheck(dsl, queue, transaction).run();
        warnOfWaitingReaders();
        new IndexCheck(dsl, queue, transaction)
                .warnIfMissing(KeptRows.EITHER, "reads and sorts the whole queue while no one else can write");
    }

    private void requireVersion() {
        var server = new ServerCheck(dsl, queue, transaction);
        server.require(FLOOR, new ServerVersion(server.answer(function("sqlite_version", String.class))));
    }

    private void warnOfWaitingReaders() {
        var mode = transaction.single(dsl, SqliteCheck::journalMode).toLowerCase(Locale.ROOT);
        if (!mode.equals(WRITE_AHEAD) && !dsl.connectionResult(Database::of).isMemory()) {
            LOG.warn(
                    "{}: the file's journal mode is {}, where readers and the writer wait for each other; set it to WAL,"
                            + " once by \"pragma journal_mode = wal\" or in the URL by journal_mode=WAL",
                    queue,
                    mode);
        }
    }

    // jOOQ has no words for it.
    private static String journalMode(DSLContext own) {
        return own.fetchSingle("pragma journal_mode").get(0, String.class);
    }
}
