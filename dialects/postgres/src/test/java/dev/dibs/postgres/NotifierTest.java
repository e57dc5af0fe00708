package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.testkit.Address;
import dev.dibs.testkit.FreezingProxy;
import dev.dibs.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** What other instances hear, and what it costs; when what is sent is {@code PushWindow}'s, and tested there too. */
@Timeout(120)
final class NotifierTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration IN_TIME = Duration.ofSeconds(20);

    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.dibs");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
    private Address address;
    private HikariDataSource pool;
    private Ear ear;

    @BeforeEach
    void open() throws SQLException {
        address = TestDatabase.postgresql().newDatabase();
        pool = address.pool(2);
        ear = Ear.at(address, "mail", "tasks");
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void close() throws SQLException {
        logger.detachAppender(logged);
        ear.close();
        pool.close();
    }

    @Test
    void theFirstPayloadOfAQuietTimeGoesOutAtOnce() throws SQLException {
        try (var notifier = notifier(LONG)) {
            notifier.notify("mail", "invoices");

            assertThat(ear.next()).isEqualTo("mail invoices");
        }
    }

    @Test
    void aHundredPayloadsOfOneWindowCostOneStatement() throws SQLException {
        var payloads = IntStream.range(0, 100).mapToObj("queue %d"::formatted).toList();
        try (var notifier = notifier(LONG)) {
            notifier.notify("mail", "opens the window");
            ear.next();

            payloads.forEach(payload -> notifier.notify("mail", payload));
        }

        assertThat(ear.heard())
                .containsExactlyElementsOf(
                        payloads.stream().map("mail %s"::formatted).toList());
        assertThat(statements).hasSize(2);
    }

    @Test
    void oneTextServesAnyNumberOfPayloads() throws SQLException {
        try (var notifier = notifier(LONG)) {
            notifier.notify("mail", "one");
            ear.next();
            notifier.notify("mail", "two");
            notifier.notify("mail", "three");
            notifier.notify("tasks", "");
        }

        assertThat(statements)
                .hasSize(3)
                .containsOnly(
                        "select pg_notify(?, \"waiting\".\"payload\") from unnest(cast(? as text[])) as \"waiting\" (\"payload\")");
        assertThat(ear.heard()).containsExactly("mail two", "mail three", "tasks");
    }

    @Test
    void repeatsOfAWindowCostOneNotification() throws SQLException {
        try (var notifier = notifier(LONG)) {
            notifier.notify("mail", "opens the window");
            ear.next();

            IntStream.range(0, 100).forEach(repeat -> notifier.notify("mail", "same"));
        }

        assertThat(ear.heard()).containsExactly("mail same");
    }

    @Test
    void aWindowOfZeroSendsEachByItself() throws SQLException {
        try (var notifier = notifier(Duration.ZERO)) {
            notifier.notify("mail", "one");
            notifier.notify("mail", "two");
            notifier.notify("mail", "three");

            assertThat(ear.next(3)).containsExactly("mail one", "mail two", "mail three");
        }
        assertThat(statements).hasSize(3);
    }

    @Test
    void whatComesWhileAWindowIsOpenIsSentAtItsEnd() throws SQLException {
        try (var notifier = notifier(Notifier.WINDOW)) {
            for (int round = 0; round < 20; round++) {
                notifier.notify("mail", "round " + round);
                notifier.notify("tasks", "round " + round);

                assertThat(ear.next(2)).containsExactlyInAnyOrder("mail round " + round, "tasks round " + round);
            }
        }
    }

    @Test
    void aBatchThatTheServerRefusesIsDroppedAndHarmsNoOtherChannel() throws SQLException {
        try (var notifier = notifier(LONG)) {
            notifier.notify("mail", "opens the window");
            ear.next();

            notifier.notify("mail", "\0");
            notifier.notify("mail", "beside a bad one");
            notifier.notify("tasks", "good");
        }

        assertThat(ear.heard()).containsExactly("tasks good");
        assertThat(warnings())
                .containsExactly(
                        "channel mail: 2 payloads could not be pushed and are dropped, so workers elsewhere find those"
                                + " messages at their next look; see whether the database answers, and whether it takes these payloads");
    }

    @Test
    void aChannelIsSentToAgainAfterABadBatchWhichIsNotTriedAgain() throws SQLException {
        try (var notifier = notifier(Duration.ZERO)) {
            notifier.notify("mail", "\0");
            notifier.notify("mail", "good");

            assertThat(ear.next()).isEqualTo("mail good");
        }
        assertThat(ear.heard()).isEmpty();
        assertThat(warnings()).hasSize(1);
    }

    /** C08: the longest channel that the server keeps, and one that it would cut. */
    @Test
    void c08AChannelThatTheServerWouldCutIsRefusedBeforeItIsSent() throws SQLException {
        var longest = "ä".repeat(31) + "x";
        try (var listening = Ear.at(address, longest);
                var notifier = notifier(Duration.ZERO)) {
            notifier.notify(longest + "y", "cut");
            notifier.notify(longest + "y", "cut again");
            notifier.notify(longest, "whole");

            assertThat(listening.next()).isEqualTo(longest + " whole");
        }
        assertThat(statements).hasSize(1);
        assertThat(warnings())
                .containsExactly(
                        "channel %sy: such notifications are dropped: its name has 64 bytes, and PostgreSQL keeps 63; take a hash of it, as TableChannel does"
                                .formatted(longest));
    }

    /** C08: the longest payload that the server takes, and one that it refuses. */
    @Test
    void c08APayloadThatTheServerWouldRefuseTakesNoOtherAlong() throws SQLException {
        try (var notifier = notifier(LONG)) {
            notifier.notify("mail", "opens the window");
            ear.next();

            notifier.notify("mail", "ä".repeat(4_000));
            notifier.notify("mail", "x".repeat(8_000));
            notifier.notify("mail", "x".repeat(7_999));
        }

        assertThat(ear.heard()).containsExactly("mail " + "x".repeat(7_999));
        assertThat(warnings())
                .containsExactly(
                        "channel mail: such notifications are dropped: a payload has 8000 bytes, and PostgreSQL takes 7999; send a key of it, or an empty payload");
    }

    @Test
    void idleCostsNoStatement() throws SQLException {
        try (var notifier = notifier(Notifier.WINDOW)) {
            awaitIdle();
            notifier.notify("mail", "one");
            ear.next();

            awaitIdle();
            assertThat(statements).hasSize(1);
        }
        assertThat(statements).hasSize(1);
    }

    @Test
    void aCloseSendsWhatWaitsAndTakesNothingMore() throws SQLException {
        var notifier = notifier(LONG);
        notifier.notify("mail", "opens the window");
        ear.next();
        notifier.notify("mail", "waits");

        notifier.close();
        notifier.notify("mail", "late");
        notifier.close();

        assertThat(ear.heard()).containsExactly("mail waits");
        assertThat(statements).hasSize(2);
    }

    @Test
    void aCloseIsBoundedWhenThePoolGivesNoConnection() throws Exception {
        try (var one = pool.getConnection();
                var other = pool.getConnection()) {
            var notifier = notifier(Notifier.WINDOW);
            notifier.notify("mail", "waits for a connection");
            var begun = System.nanoTime();

            notifier.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(IN_TIME);
            assertThat(one.isValid(1) && other.isValid(1)).isTrue();
        }
        assertThat(warnings())
                .containsExactly(
                        "the last payloads were not pushed within PT5S and may be lost, so workers elsewhere find those"
                                + " messages at their next look; see whether the database answers");
    }

    @Test
    void aCloseIsBoundedWhenTheServerDoesNotAnswer() throws Exception {
        try (var proxy = new FreezingProxy(address);
                var behind = proxy.address().pool(2)) {
            var notifier =
                    new Notifier(counting(DSL.using(behind, SQLDialect.POSTGRES)), Notifier.WINDOW, Optional::of);
            notifier.notify("mail", "before the frost");
            ear.next();
            proxy.freeze();
            notifier.notify("mail", "in the frost");
            var begun = System.nanoTime();

            notifier.close();

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(IN_TIME);
            proxy.thaw();
        }
    }

    @Test
    void aDatabaseThatIsGoneIsToldOfOnceForEachChannel() throws SQLException {
        pool.close();

        try (var notifier = notifier(Duration.ZERO)) {
            IntStream.range(0, 10).forEach(number -> notifier.notify("mail", "number " + number));
            notifier.notify("tasks", "one");
        }

        assertThat(warnings()).hasSize(2);
        assertThat(ear.heard()).isEmpty();
    }

    @Test
    void aPoolWithAutoCommitOffSendsAllTheSame() throws SQLException {
        var settings = new HikariConfig();
        settings.setJdbcUrl(address.url());
        settings.setUsername(address.user());
        settings.setPassword(address.password());
        settings.setAutoCommit(false);
        try (var other = new HikariDataSource(settings);
                var notifier = new Notifier(DSL.using(other, SQLDialect.POSTGRES), LONG, Optional::of)) {
            notifier.notify("mail", "committed");

            assertThat(ear.next()).isEqualTo("mail committed");
        }
    }

    private Notifier notifier(Duration window) {
        return new Notifier(counting(DSL.using(pool, SQLDialect.POSTGRES)), window, Optional::of);
    }

    private DSLContext counting(DSLContext dsl) {
        return dsl.configuration()
                .derive(new DefaultExecuteListenerProvider(new ExecuteListener() {

                    private static final long serialVersionUID = 1L;

                    @Override
                    public void executeStart(ExecuteContext context) {
                        statements.add(String.valueOf(context.sql()));
                    }
                }))
                .dsl();
    }

    private List<String> warnings() {
        return List.copyOf(logged.list).stream()
                .filter(event -> event.getLevel().toString().equals("WARN"))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static void awaitIdle() {
        while (!Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("dibs-notifier"))
                .allMatch(thread -> thread.getState() == Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
    }
}
