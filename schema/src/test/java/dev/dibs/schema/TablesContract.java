package dev.dibs.schema;

import static dev.dibs.schema.jooq.Tables.DIBS_DEAD_LETTER;
import static dev.dibs.schema.jooq.Tables.DIBS_MESSAGE;
import static dev.dibs.schema.jooq.Tables.DIBS_QUEUE;
import static dev.dibs.schema.jooq.Tables.DIBS_RESULT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.jooq.impl.DSL.currentSchema;

import dev.dibs.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.assertj.core.data.Offset;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Schema;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the managed tables are and hold, on every database the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TablesContract {

    private static final List<Table<?>> TABLES = List.of(DIBS_MESSAGE, DIBS_DEAD_LETTER, DIBS_QUEUE, DIBS_RESULT);
    private static final Pattern SQL_OF_THE_GUIDE = Pattern.compile("```sql (.+)\n([^`]+)```");
    private static final Offset<Long> TEN_SECONDS = Offset.offset(10_000_000L);

    private final TestDatabase database;
    private DataSource source;
    private Connection connection;
    private DSLContext dsl;

    TablesContract(TestDatabase database) {
        this.database = database;
    }

    /** A new and empty database. */
    DataSource fresh() {
        return TestConnections.to(database.newDatabase());
    }

    @BeforeAll
    void migrate() throws Exception {
        source = fresh();
        QueueSchema.migrate(source);
        connection = source.getConnection();
        dsl = DSL.using(connection);
    }

    @BeforeEach
    void empty() {
        TABLES.forEach(table -> dsl.deleteFrom(table).execute());
    }

    @AfterAll
    void close() throws SQLException {
        if (connection != null) {
            connection.close();
        }
    }

    @Test
    void aForeignWriterNamesQueueAndPayloadOnly() {
        dsl.execute("insert into dibs_message (queue, payload) values ('emails', '{\"to\": \"ada\"}')");

        var message = dsl.fetchSingle(DIBS_MESSAGE);
        assertThat(message.getId()).isPositive();
        assertThat(message.getQueue()).isEqualTo("emails");
        assertThat(message.getPayload()).isEqualTo("{\"to\": \"ada\"}");
        assertThat(message.getPriority()).isZero();
        assertThat(message.getAttempt()).isZero();
        assertThat(message.getDueAt()).isCloseTo(micros(Instant.now()), TEN_SECONDS);
        assertThat(message.getCreatedAt()).isCloseTo(message.getDueAt(), TEN_SECONDS);
        assertThat(message.valuesRow().fields()).hasSize(13);
        assertThat(List.of(
                        DIBS_MESSAGE.LEASED_UNTIL,
                        DIBS_MESSAGE.LEASE_TOKEN,
                        DIBS_MESSAGE.ORDER_KEY,
                        DIBS_MESSAGE.DEDUP_KEY,
                        DIBS_MESSAGE.HEADERS,
                        DIBS_MESSAGE.ERROR))
                .allSatisfy(empty -> assertThat((Object) message.get(empty)).isNull());
    }

    @Test
    void everyTableThatSaysNowSaysItByItself() {
        dsl.execute("insert into dibs_dead_letter (id, queue, payload, due_at) values (7, 'emails', '{}', 1)");
        dsl.execute("insert into dibs_queue (name) values ('emails')");
        dsl.execute("insert into dibs_result (message_id, outcome, expires_at) values (7, 'done', 1)");

        var now = micros(Instant.now());
        assertThat(dsl.fetchSingle(DIBS_DEAD_LETTER).getDiedAt()).isCloseTo(now, TEN_SECONDS);
        assertThat(dsl.fetchSingle(DIBS_QUEUE).getUpdatedAt()).isCloseTo(now, TEN_SECONDS);
        assertThat(dsl.fetchSingle(DIBS_QUEUE).getPaused()).isZero();
        assertThat(dsl.fetchSingle(DIBS_RESULT).getFinishedAt()).isCloseTo(now, TEN_SECONDS);
    }

    @Test
    void nowIsTheClockAndNotTheTransactionsStart() {
        dsl.transaction(tx -> {
            insert(tx.dsl(), "first", "{}");
            await(5);
            insert(tx.dsl(), "second", "{}");
        });

        assertThat(dueAt("second")).isGreaterThan(dueAt("first"));
    }

    @Test
    void anyTimeOfInstantsRangeInMicrosecondsIsKept_C04() {
        for (var time : List.of(
                Long.MIN_VALUE, -1L, 0L, micros(Instant.parse("2500-01-01T00:00:00.000001Z")), Long.MAX_VALUE)) {
            dsl.insertInto(
                            DIBS_MESSAGE,
                            DIBS_MESSAGE.QUEUE,
                            DIBS_MESSAGE.PAYLOAD,
                            DIBS_MESSAGE.DUE_AT,
                            DIBS_MESSAGE.LEASED_UNTIL)
                    .values("q" + time, "{}", time, time)
                    .execute();

            assertThat(dueAt("q" + time)).isEqualTo(time);
        }
    }

    @Test
    void anIdIsNeverGivenTwice() {
        insert(dsl, "emails", "first");
        var first = dsl.fetchSingle(DIBS_MESSAGE).getId();
        dsl.deleteFrom(DIBS_MESSAGE).execute();
        insert(dsl, "emails", "second");

        assertThat(dsl.fetchSingle(DIBS_MESSAGE).getId()).isGreaterThan(first);
    }

    @Test
    void keysCompareAsBytes() {
        var names =
                List.of("a", "A", "a ", "a  ", "\u00e4", "a\u0308", "\u00df", "ss", "Z", "_", "\uD83D\uDE80", "\uFFFD");
        names.forEach(name -> insert(dsl, name, "{}"));

        for (var name : names) {
            assertThat(dsl.fetchCount(DIBS_MESSAGE, DIBS_MESSAGE.QUEUE.eq(name)))
                    .as(name)
                    .isOne();
        }
        assertThat(dsl.select(DIBS_MESSAGE.QUEUE)
                        .from(DIBS_MESSAGE)
                        .orderBy(DIBS_MESSAGE.QUEUE)
                        .fetch(DIBS_MESSAGE.QUEUE))
                .isSortedAccordingTo(TablesContract::asBytes);
    }

    @Test
    void aDedupKeyIsUniqueInItsQueue() {
        deduplicated("emails", "k");
        deduplicated("emails", "K");
        deduplicated("emails", "k ");
        deduplicated("letters", "k");
        deduplicated("emails", null);
        deduplicated("emails", null);

        assertThatThrownBy(() -> deduplicated("emails", "k")).isInstanceOf(DataAccessException.class);
        assertThat(dsl.fetchCount(DIBS_MESSAGE)).isEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65_535, 65_536, 1 << 20, (16 << 20) + 1})
    void aPayloadComesBackAsItWasOrIsRefused_C06(int length) throws SQLException {
        var payload = "\u00e9".repeat(length / 2) + "x".repeat(length % 2);
        try (var own = source.getConnection()) {
            insert(DSL.using(own), "emails", payload);
        } catch (DataAccessException refused) {
            assertThat(length)
                    .as("only what passes the server's max_allowed_packet")
                    .isGreaterThan(1 << 20);
            return;
        }

        assertThat(dsl.fetchSingle(DIBS_MESSAGE).getPayload().equals(payload)).isTrue();
    }

    @Test
    void aKeyHas200CharactersOfAnyKind_C06() {
        var rockets = "\uD83D\uDE80".repeat(200);
        dsl.insertInto(
                        DIBS_MESSAGE,
                        DIBS_MESSAGE.QUEUE,
                        DIBS_MESSAGE.PAYLOAD,
                        DIBS_MESSAGE.ORDER_KEY,
                        DIBS_MESSAGE.DEDUP_KEY)
                .values(rockets, "{}", rockets, rockets)
                .execute();

        assertThat(dsl.fetchSingle(DIBS_MESSAGE).getDedupKey()).isEqualTo(rockets);
        for (var key : List.of(DIBS_MESSAGE.QUEUE, DIBS_MESSAGE.ORDER_KEY, DIBS_MESSAGE.DEDUP_KEY)) {
            assertThatThrownBy(() ->
                            dsl.update(DIBS_MESSAGE).set(key, rockets + "!").execute())
                    .isInstanceOf(DataAccessException.class);
        }
    }

    @Test
    void theStatementsOfTheGuideRun() throws Exception {
        var mine = Server.of(connection).name().toLowerCase(Locale.ROOT);
        var statements = SQL_OF_THE_GUIDE
                .matcher(Files.readString(Path.of("../docs/schema.md")))
                .results()
                .filter(block -> List.of(block.group(1).split(" ", -1)).contains(mine)
                        || block.group(1).equals("all"))
                .flatMap(block -> Arrays.stream(block.group(2).split(";\n", -1)))
                .filter(statement -> !statement.isBlank())
                .toList();
        assertThat(statements).hasSize(4);

        var due = statements.stream().map(dsl::fetch).reduce((earlier, last) -> last);

        var now = micros(Instant.now());
        var minute = 60_000_000L;
        assertThat(dsl.fetch(DIBS_MESSAGE).sortAsc(DIBS_MESSAGE.ID).getValues(DIBS_MESSAGE.DUE_AT))
                .satisfiesExactly(
                        first -> assertThat(first).isCloseTo(now, TEN_SECONDS),
                        second -> assertThat(second).isCloseTo(now + 5 * minute, TEN_SECONDS),
                        third -> assertThat(third).isEqualTo(micros(Instant.parse("2027-01-04T08:00:00Z"))));
        assertThat(due.orElseThrow().getValues("due", String.class))
                .first(STRING)
                .startsWith(Integer.toString(Year.now(ZoneOffset.UTC).getValue()));
    }

    @Test
    void onlyWhatAnUpdateNamesChanges_C34() {
        insert(dsl, "emails", "{}");
        var before = dsl.fetchSingle(DIBS_MESSAGE);
        await(5);
        dsl.update(DIBS_MESSAGE)
                .set(DIBS_MESSAGE.ATTEMPT, 1)
                .set(DIBS_MESSAGE.LEASED_UNTIL, 5L)
                .execute();

        var after = dsl.fetchSingle(DIBS_MESSAGE);
        assertThat(after.into(before.fields()))
                .isEqualTo(before.with(DIBS_MESSAGE.ATTEMPT, 1).with(DIBS_MESSAGE.LEASED_UNTIL, 5L));
    }

    @Test
    void aQueueIsPausedOrNot() {
        dsl.insertInto(DIBS_QUEUE, DIBS_QUEUE.NAME, DIBS_QUEUE.PAUSED)
                .values("emails", 1)
                .execute();

        assertThatThrownBy(
                        () -> dsl.update(DIBS_QUEUE).set(DIBS_QUEUE.PAUSED, 2).execute())
                .isInstanceOf(DataAccessException.class);
    }

    @Test
    void noIndexHoldsAColumnThatAClaimChanges() throws SQLException {
        assertThat(indexes("dibs_message"))
                .contains(
                        List.of("queue", "priority", "due_at", "id"),
                        List.of("queue", "order_key", "id"),
                        List.of("queue", "dedup_key"))
                .allSatisfy(columns -> assertThat(columns).doesNotContain("leased_until", "lease_token", "attempt"));
        assertThat(indexes("dibs_dead_letter")).contains(List.of("queue", "died_at", "id"));
        assertThat(indexes("dibs_result")).contains(List.of("expires_at"));
    }

    @ParameterizedTest
    @FieldSource("TABLES")
    void theGeneratedClassesFitTheTable(Table<?> generated) {
        var actual = actual(generated);

        assertThat(names(actual)).isEqualTo(names(generated));
        for (var expected : generated.fields()) {
            var column = Objects.requireNonNull(actual.field(expected.getUnqualifiedName()));
            assertThat(column.getDataType().nullable())
                    .as("nullable: %s", column)
                    .isEqualTo(expected.getDataType().nullable());
            assertThat(column.getDataType().identity())
                    .as("identity: %s", column)
                    .isEqualTo(expected.getDataType().identity());
            assertThat(column.getDataType().defaulted())
                    .as("default: %s", column)
                    .isEqualTo(expected.getDataType().defaulted());
            assertThat(type(column)).as("type: %s", column).isEqualTo(type(expected));
        }
    }

    private Table<?> actual(Table<?> generated) {
        var current = dsl.select(currentSchema()).fetchSingle().value1();
        return dsl.meta()
                .filterSchemas(schema -> current == null || current.isEmpty() || current.equals(inside(schema)))
                .getTables(generated.getName())
                .get(0);
    }

    // On MySQL a database is a catalog to JDBC and a schema to jOOQ.
    private static String inside(Schema schema) {
        return schema.getName().isEmpty()
                ? Objects.requireNonNull(schema.getCatalog()).getName()
                : schema.getName();
    }

    // SQLite's own key is declared integer, whatever it holds.
    private static String type(Field<?> column) {
        var type = column.getDataType();
        if (type.identity()) {
            return "id";
        }
        return type.isString() && type.lengthDefined() && type.length() < 1_000
                ? "String of " + type.length()
                : column.getType().getSimpleName();
    }

    private static List<String> names(Table<?> table) {
        return table.fieldStream()
                .map(column -> column.getName().toLowerCase(Locale.ROOT))
                .toList();
    }

    private List<List<String>> indexes(String table) throws SQLException {
        var columns = new TreeMap<String, List<String>>();
        try (var index = connection
                .getMetaData()
                .getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, false)) {
            while (index.next()) {
                var name = index.getString("INDEX_NAME");
                if (name != null) {
                    columns.computeIfAbsent(name, none -> new ArrayList<>())
                            .add(index.getString("COLUMN_NAME").replace("\"", ""));
                }
            }
        }
        return List.copyOf(columns.values());
    }

    private void deduplicated(String queue, String key) {
        dsl.insertInto(DIBS_MESSAGE, DIBS_MESSAGE.QUEUE, DIBS_MESSAGE.PAYLOAD, DIBS_MESSAGE.DEDUP_KEY)
                .values(queue, "{}", key)
                .execute();
    }

    private static void insert(DSLContext on, String queue, String payload) {
        on.insertInto(DIBS_MESSAGE, DIBS_MESSAGE.QUEUE, DIBS_MESSAGE.PAYLOAD)
                .values(queue, payload)
                .execute();
    }

    private long dueAt(String queue) {
        return dsl.fetchSingle(DIBS_MESSAGE, DIBS_MESSAGE.QUEUE.eq(queue)).getDueAt();
    }

    private static void await(long millis) {
        var end = System.nanoTime() + millis * 1_000_000;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static int asBytes(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }
}
