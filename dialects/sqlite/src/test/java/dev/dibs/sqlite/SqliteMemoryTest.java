package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dibs.Queue;
import dev.dibs.testkit.Address;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** C29: an in-memory database behind a pool may be many databases, or disappear. */
final class SqliteMemoryTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(SharedMemory.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:sqlite::memory:", "jdbc:sqlite:file:private?mode=memory", "jdbc:sqlite:"})
    void c29AMemoryOfOneConnectionIsRefusedWithWhatToUseInstead(String url) {
        try (var pool = new Address(url, "", "", SQLDialect.SQLITE).pool(1)) {
            var dsl = DSL.using(pool, SQLDialect.SQLITE);
            SqliteJobs.create(dsl);
            var queue = Queue.of(dsl, SqliteJobs.TABLE, "jobs");

            assertThatThrownBy(() -> queue.worker().consume(payload -> {}))
                    .hasMessageContaining("queue \"jobs\"")
                    .hasMessageContaining("in-memory database of one connection")
                    .hasMessageContaining("file:NAME?mode=memory&cache=shared");
        }
    }

    @RepeatedTest(20)
    void c29TwoInstancesOnOneSharedMemoryHandleEachMessageOnceAndAreWarnedThatItMayVanish() throws Exception {
        var address = new Address("jdbc:sqlite:file:c29?mode=memory&cache=shared", "", "", SQLDialect.SQLITE);
        var handled = new LinkedBlockingQueue<String>();
        try (var keeper = DriverManager.getConnection(address.url());
                var first = address.pool(3);
                var second = address.pool(3)) {
            SqliteJobs.create(DSL.using(keeper, SQLDialect.SQLITE));
            var queues = List.of(first, second).stream()
                    .map(pool -> Queue.of(DSL.using(pool, SQLDialect.SQLITE), SqliteJobs.TABLE, "jobs"))
                    .toList();
            queues.get(0)
                    .enqueueAll(
                            IntStream.range(0, 20).mapToObj(Integer::toString).toList());
            try (var one = queues.get(0).worker().concurrency(2).consume(handled::add);
                    var two = queues.get(1)
                            .worker()
                            .concurrency(2)
                            .pollInterval(Duration.ofMillis(20))
                            .consume(handled::add)) {
                for (int message = 0; message < 20; message++) {
                    assertThat(handled.poll(30, TimeUnit.SECONDS)).isNotNull();
                }
            }
            assertThat(handled).isEmpty();
        }
        assertThat(logged.list)
                .anySatisfy(event -> assertThat(event.getFormattedMessage()).contains("gone with its last connection"));
    }
}
