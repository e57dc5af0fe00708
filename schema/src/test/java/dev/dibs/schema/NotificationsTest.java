package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.Queue;
import dev.dibs.Signals;
import dev.dibs.postgres.Notifications;
import dev.dibs.spi.TableChannel;
import dev.dibs.table.QueueException;
import dev.dibs.wake.Announcement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers that would look again after a day only, and programs elsewhere that wake them. */
final class NotificationsTest extends SleepingWorkers {

    @Test
    void anEnqueueWakesAWorkerOfAnotherProcess() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);

        queue(elsewhere).enqueue("from elsewhere");

        assertThat(next()).isEqualTo("from elsewhere");
    }

    @ParameterizedTest
    @EnumSource(names = {"ON_DEMAND", "ALWAYS"})
    void aPlainInsertWakesAWorkerWhoseTableAnnouncesIt(Announcement announcement) throws Exception {
        asleep(listening(address), announcement);

        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void aTableIsAnnouncedUnderAnyNameAndInAnySchema() throws Exception {
        var schema = "A schema of its own. With a dot, and longer than a channel";
        var tables = QueueSchema.builder(pool(address)).schema(schema).prefix("A prefix with spaces_");
        tables.migrate();
        var table = ManagedQueue.named("A prefix with spaces_", schema).text();
        QueueSchema.announce(pool(address), table.table(), Announcement.ON_DEMAND);
        var dsl = listening(address);
        sleeping(Queue.of(dsl, table, "mail"));

        elsewhere
                .insertInto(table.table())
                .columns(field(name("queue")), field(name("payload")))
                .values("mail", "quoted")
                .execute();

        assertThat(next()).isEqualTo("quoted");
    }

    @Test
    void anotherQueueOfTheTableIsNotWokenByAnEnqueue() throws Exception {
        open(elsewhere);
        var dsl = listening(address);
        asleep(dsl, Announcement.OFF);
        var claims = new AtomicInteger();
        sleeping(Queue.of(dsl, ManagedQueue.ofText(), "parcels"), claims);
        claims.set(0);

        queue(elsewhere).enqueue("a letter");

        assertThat(next()).isEqualTo("a letter");
        assertThat(claims).hasValue(0);
    }

    @Test
    void twoInstallationsInOneDatabaseDoNotWakeEachOther() throws Exception {
        QueueSchema.builder(pool(address)).prefix("other_").migrate();
        var others = ManagedQueue.named("other_", null).text();
        open(elsewhere);
        var dsl = listening(address);
        asleep(dsl, Announcement.OFF);
        var claims = new AtomicInteger();
        sleeping(Queue.of(dsl, others, "mail"), claims);
        claims.set(0);

        queue(elsewhere).enqueue("for the first");

        assertThat(next()).isEqualTo("for the first");
        assertThat(claims).hasValue(0);
    }

    @Test
    void messagesThatAreReadyAgainWakeAWorkerOfAnotherProcessThoughTheTableAnnouncesInsertsOnly() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.ON_DEMAND);
        elsewhere.transaction(tx -> {
            tx.dsl().execute("set local session_replication_role = replica"); // no trigger fires
            tx.dsl().execute(INSERT);
        });

        queue(elsewhere).wake();

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void messagesThatAWorkerGivesBackWakeOneOfAnotherProcess() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);
        queue(instance(address)).enqueue("given back"); // which nobody is told of

        opened.add(queue(elsewhere)
                .worker()
                .executor(task -> {
                    throw new RejectedExecutionException("no thread");
                })
                .consume(handled::add));

        assertThat(next()).isEqualTo("given back");
    }

    /** As a program in any language may tell of its insert: of its queue, or of none. */
    @ParameterizedTest
    @ValueSource(strings = {"mail", ""})
    void aNotificationOfAnyProgramWakesAWorker(String payload) throws Exception {
        asleep(listening(address), Announcement.OFF);
        elsewhere.execute(INSERT);

        notifyOf(payload);

        assertThat(next()).isEqualTo("by plain SQL");
    }

    @Test
    void aNotificationOfAnotherQueueWakesNobody() throws Exception {
        var dsl = listening(address);
        asleep(dsl, Announcement.OFF);
        var claims = new AtomicInteger();
        sleeping(Queue.of(dsl, ManagedQueue.ofText(), "parcels"), claims);
        claims.set(0);
        elsewhere.execute(INSERT);

        notifyOf("letters");
        notifyOf("mail");

        assertThat(next()).isEqualTo("by plain SQL");
        assertThat(claims).hasValue(0);
    }

    @Test
    void aQueueIsWokenWhateverItsName() throws Exception {
        var name = "O'Brien::\"*\" {0} ? %s \\ ü";
        open(elsewhere);
        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.OFF);
        sleeping(Queue.of(listening(address), ManagedQueue.ofText(), name));

        Queue.of(elsewhere, ManagedQueue.ofText(), name).enqueue("from elsewhere");

        assertThat(next()).isEqualTo("from elsewhere");
    }

    @Test
    void whatWaitsWhenTheyAreClosedIsSent() throws Exception {
        var notifications = Notifications.builder(elsewhere).window(NEVER).open();
        opened.add(notifications);
        asleep(listening(address), Announcement.OFF);
        queue(elsewhere).enqueue("at once");
        next();
        queue(elsewhere).enqueue("at the end of the window");

        notifications.close();

        assertThat(next()).isEqualTo("at the end of the window");
    }

    /** C11: a worker that is told of a message of another process knows when it is due. */
    @Test
    void c11ADelayedMessageOfAnotherProcessStartsWhenItIsDue() throws Exception {
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);

        queue(elsewhere).enqueue(Message.of("later").delayed(Duration.ofMillis(300)));

        assertThat(next()).isEqualTo("later");
    }

    /** C37: a message costs a few claims in each instance, and not one of each worker. */
    @Test
    void c37OneMessageWakesOneOfManyIdleWorkersInEachInstance() throws Exception {
        var claims = new AtomicInteger();
        QueueSchema.announce(pool(address), DIBS_MESSAGE, Announcement.ON_DEMAND);
        var workers = 20;
        for (int instance = 0; instance < 2; instance++) {
            var dsl = listening(address);
            for (int worker = 0; worker < workers / 2; worker++) {
                started(queue(dsl), NEVER, claims);
            }
        }
        awaitQuiet(claims);
        claims.set(0);

        elsewhere.execute(INSERT);

        assertThat(next()).isEqualTo("by plain SQL");
        awaitQuiet(claims);
        assertThat(claims.get()).isLessThan(workers);
    }

    @Test
    void aSignalEndsAWaitInAnotherProcess() throws Exception {
        open(elsewhere);
        var found = awaited(instance(address));

        Signals.of(elsewhere, "orders").signal("order 1");

        assertThat(found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("written");
    }

    @Test
    void aSignalEndsAWaitInItsOwnProcess() throws Exception {
        var dsl = instance(address);
        var found = awaited(dsl);

        Signals.of(dsl, "orders").signal("order 1");

        assertThat(found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("written");
    }

    @Test
    void theEndOfAMessageElsewhereEndsTheWaitForIt() throws Exception {
        open(elsewhere);
        var looks = new AtomicInteger();
        var dsl = DSL.using(new DefaultConfiguration()
                .set(pool(address))
                .set(SQLDialect.POSTGRES)
                .set(ExecuteListener.onExecuteStart(statement -> {
                    if (String.valueOf(statement.sql()).contains("dibs_result")) {
                        looks.incrementAndGet();
                    }
                })));
        opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
        var table = ManagedQueue.named("dibs_", null).withResults().text();
        var found = Queue.of(dsl, table, "sums").enqueue("6 * 7").future();
        awaitQuiet(looks);

        opened.add(Queue.of(elsewhere, table, "sums").worker().handle(delivery -> Outcome.done("42")));

        assertThat(found.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).value()).contains("42");
    }

    /** What is found by one who would look again after a day only, once it is signalled. */
    private Future<Optional<String>> awaited(DSLContext dsl) throws SQLException {
        opened.add(Notifications.builder(dsl).longestSleep(NEVER).open());
        var isWritten = new AtomicBoolean();
        var looks = new AtomicInteger();
        var thread = Executors.newSingleThreadExecutor();
        opened.add(thread::shutdownNow);
        var found = thread.submit(() -> Signals.of(dsl, "orders")
                .await(
                        "order 1",
                        () -> {
                            looks.incrementAndGet();
                            return isWritten.get() ? Optional.of("written") : Optional.<String>empty();
                        },
                        NEVER));
        awaitQuiet(looks);
        isWritten.set(true);
        return found;
    }

    @Test
    void openingThemTwiceIsRefused() {
        open(elsewhere);

        assertThatThrownBy(() -> Notifications.open(elsewhere))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("open them once");
    }

    @Test
    void afterTheyAreClosedTheyCanBeOpenedAgain() throws Exception {
        Notifications.open(elsewhere).close();
        open(elsewhere);
        asleep(listening(address), Announcement.OFF);

        queue(elsewhere).enqueue("after the second opening");

        assertThat(next()).isEqualTo("after the second opening");
    }

    @Test
    void anotherDatabaseIsRefused() {
        assertThatThrownBy(() -> Notifications.open(DSL.using(SQLDialect.SQLITE)))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("SQLite", "PostgreSQL");
    }

    private void notifyOf(String payload) {
        elsewhere.fetch(
                "select pg_notify(?, ?)",
                TableChannel.of(elsewhere, DIBS_MESSAGE).channel(),
                payload);
    }
}
