package shop.mail;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static shop.jooq.tables.Mail.MAIL;

import dev.dibs.wake.WakeAfterCommit;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

final class MailServiceTest {

    @TempDir
    private Path directory;

    @Test
    void aMailThatIsWrittenInATransactionIsSentAndGone() throws Exception {
        var database = new SQLiteDataSource();
        database.setUrl("jdbc:sqlite:" + directory.resolve("shop.sqlite") + "?journal_mode=WAL");
        Flyway.configure().dataSource(database).load().migrate();
        var dsl = DSL.using(
                new DefaultConfiguration().set(database).set(SQLDialect.SQLITE).set(new WakeAfterCommit()));
        var service = new MailService(dsl);
        var sent = new LinkedBlockingQueue<String>();

        try (var worker = service.send((recipient, subject) -> sent.add(recipient + ": " + subject))) {
            dsl.transaction(tx -> service.write(tx, "ada@example.org", "Your order"));

            assertEquals("ada@example.org: Your order", sent.poll(60, TimeUnit.SECONDS));
        }
        assertEquals(0, dsl.fetchCount(MAIL));
    }
}
