package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.testkit.CheckContract;
import dev.dibs.testkit.TestDatabase;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class SqliteCheckTest extends CheckContract {

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dibs");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    SqliteCheckTest() {
        super(TestDatabase.sqlite());
    }

    @BeforeEach
    void startLog() {
        logged.start();
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    /** C32: a library that cannot return what an update wrote. */
    @Test
    void c32ALibraryBeforeVersion335IsRefused() {
        assertRefused(sql -> sql.replace("sqlite_version()", "'3.34.1'"))
                .hasMessageContaining("the server is SQLite 3.34.1")
                .hasMessageContaining("needs SQLite 3.35 or later");
    }

    @Test
    void aFileThatIsNotInWalModeIsWarnedOf() {
        var file = TestDatabase.sqlite().newDatabase();
        var settings = new HikariConfig();
        settings.setJdbcUrl(file.url().replace("journal_mode=WAL", "journal_mode=DELETE"));
        try (var pool = new HikariDataSource(settings)) {
            var dsl = DSL.using(pool, SQLDialect.SQLITE);
            SqliteJobs.create(dsl);
            logger.addAppender(logged);

            Queue.of(dsl, SqliteJobs.TABLE, "jobs")
                    .worker()
                    .consume(payload -> {})
                    .close();
        }

        assertThat(logged.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("queue \"jobs\" in table \"jobs\"")
                .contains("journal mode is delete")
                .contains("journal_mode=WAL");
    }
}
