package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Message;
import dev.dibs.Outcome;
import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Payloads and errors of any size and content arrive whole, or are refused with what is wrong, on every database.
 *
 * <p>A dialect extends it with a class for each lock form that its database has.
 */
public abstract class SizesContract extends TableContract {

    private static final int MIB = 1 << 20;

    /** The contract on a database, in a form. */
    protected SizesContract(TestDatabase database, LockForm form) {
        super(database, form);
    }

    /** C06: a payload arrives byte for byte, or enqueue says how long it is. */
    @ParameterizedTest
    @ValueSource(ints = {65_535, 65_536, MIB, 16 * MIB + 1})
    void c06APayloadArrivesWholeOrIsRefusedWithItsSize(int size) throws Exception {
        var table = made();
        var queue = mail(table.mapped(form));
        var payload = "x\u00e9\ud83d\udceb ".repeat(size / 8) + "x".repeat(size % 8);
        assertThat(payload.getBytes(StandardCharsets.UTF_8)).hasSize(size);
        var seen = new LinkedBlockingQueue<String>();
        try {
            queue.enqueue(payload);
        } catch (QueueException refused) {
            assertThat(isMysqlFamily() && size > 16 * MIB)
                    .as("is more than max_allowed_packet")
                    .isTrue();
            assertThat(refused).hasMessageContainingAll("queue \"mail\"", "%,d characters".formatted(payload.length()));
            assertThat(rows(table)).isEmpty();
            return;
        }
        opened.add(queue.worker().events(recorder).consume(seen::add));

        recorder.await("done");

        assertThat(take(seen).equals(payload)).isTrue();
    }

    /** C06: a column that is too short for a payload refuses it; nothing is cut. */
    @Test
    void c06APayloadTooLongForItsColumnIsRefusedAndNotCut() {
        var table = made();
        here.dsl()
                .execute("create table narrow_jobs (id %s, body %s, locked_until bigint)"
                        .formatted(identity(), narrow()));
        var narrow = new PickyTable("narrow_jobs");
        var mapping = QueueTable.of(narrow, narrow.id, narrow.body);
        var queue = mail(form == LockForm.LEASE ? mapping.leasedUntil(narrow.lockedUntil) : mapping);

        assertThatThrownBy(() -> queue.enqueue("x".repeat(65_536)))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("queue \"mail\"", "narrow_jobs", "65,536 characters");

        assertThat(here.dsl().fetchCount(narrow)).isZero();
        assertThat(rows(table)).isEmpty();
    }

    /** C06, for databases whose sessions may cut: such a one is refused, before the first message and at start. */
    protected void c06ASessionThatCutsIsRefused() {
        var table = made();
        var settings = address.settings(2);
        settings.setConnectionInitSql("set session sql_mode = ''");
        var pool = new HikariDataSource(settings);
        opened.add(pool);
        var queue = new Instance(pool, DSL.using(pool, dialect())).queue(table.mapped(form), "mail", time);

        assertThatThrownBy(() -> queue.enqueue("x")).hasMessageContainingAll("queue \"mail\"", "sql_mode", "STRICT");
        assertThatThrownBy(() -> queue.worker().consume(payload -> {})).hasMessageContaining("sql_mode");

        assertThat(rows(table)).isEmpty();
    }

    @Test
    void aBulkOfLongPayloadsIsCutIntoInsertsThatTheServerTakes() throws Exception {
        var table = made();
        var queue = mail(table.mapped(form));
        var messages = IntStream.range(0, 40)
                .mapToObj(n -> "%d %s".formatted(n, "x".repeat(MIB)))
                .toList();

        queue.enqueueAll(messages);

        assertThat(here.dsl().fetchCount(table)).isEqualTo(40);
    }

    /** C06: an error of any length is recorded, cut between two characters, and the worker goes on. */
    @Test
    void c06AHugeErrorIsRecordedAndTheWorkerGoesOn() throws Exception {
        var table = made();
        var queue = mail(table.mapped(form));
        queue.enqueueAll(List.of("huge", "fine"));
        opened.add(queue.worker()
                .retry(RetryPolicy.fixed(Duration.ofHours(1)).withoutLimit())
                .events(recorder)
                .consume(payload -> {
                    if (payload.equals("huge")) {
                        throw huge();
                    }
                }));

        recorder.awaitSettled(2);

        assertThat(recorder.done()).hasSize(1);
        assertThat(rows(table)).singleElement().satisfies(row -> {
            var text = row.get(table.lastError);
            assertThat(text).contains("\ud83d\udceb\ud83d\udceb").hasSizeBetween(1_000, 4_000);
            assertThat(text.codePoints()
                            .filter(c -> Character.getType(c) == Character.SURROGATE)
                            .toArray())
                    .isEmpty();
            assertThat(row.get(table.tries)).isOne();
        });
    }

    /** C22: what looks like an object is a text to the handler, or unreadable to its converter; never a class that is loaded. */
    @Test
    void c22BytesOfAnObjectAndTypeHintsAreTextOrRejected() throws Exception {
        var table = made();
        var dead = unmade().createBare(here.dsl());
        var texts = List.of(
                Base64.getEncoder().encodeToString(serialized(new Bomb())),
                new String(serialized(new Bomb()), StandardCharsets.ISO_8859_1).replace("\0", "?"),
                "{\"@class\": \"%s\", \"@type\": \"%s\"}".formatted(Bomb.class.getName(), Bomb.class.getName()),
                "!!%s {}".formatted(Bomb.class.getName()));
        mail(table.mapped(form))
                .enqueueMessages(texts.stream()
                        .map(text -> Message.of(text).header("class", text))
                        .toList());
        here.queue(table.mapped(form), "numbers", time).enqueueAll(texts);
        var seen = new LinkedBlockingQueue<String>();
        opened.add(mail(table.mapped(form)).worker().events(recorder).handle(delivery -> {
            assertThat(delivery.headers().get("class")).isEqualTo(delivery.payload());
            seen.add(delivery.payload());
            return Outcome.done();
        }));
        var numbers = table.mapped(form, table.body.convert(Integer.class, Integer::valueOf, String::valueOf))
                .deadLetters(dead.graves());
        opened.add(
                here.queue(numbers, "numbers", time).worker().events(recorder).consume(number -> {}));

        recorder.awaitSettled(2 * texts.size());

        assertThat(new ArrayList<>(seen)).containsExactlyInAnyOrderElementsOf(texts);
        assertThat(rows(dead)).hasSize(texts.size());
        assertThat(Bomb.wentOff()).isFalse();
    }

    private String identity() {
        return switch (dialect()) {
            case POSTGRES -> "bigint generated by default as identity primary key";
            case SQLITE -> "integer primary key autoincrement";
            default -> "bigint auto_increment primary key";
        };
    }

    // The text of MySQL and MariaDB holds 64 KiB less one.
    private String narrow() {
        return switch (dialect()) {
            case POSTGRES -> "varchar(65535)";
            case SQLITE -> "text check (length(body) <= 65535)";
            default -> "text";
        };
    }

    private static RuntimeException huge() {
        RuntimeException chain = new IllegalStateException("\ud83d\udceb".repeat(5 * MIB / 4));
        for (int depth = 0; depth < 200; depth++) {
            chain = new IllegalStateException("depth %d".formatted(depth), chain);
        }
        return new IllegalStateException("\ud83d\udceb".repeat(5 * MIB / 4), chain);
    }

    private static byte[] serialized(Object object) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }
}
