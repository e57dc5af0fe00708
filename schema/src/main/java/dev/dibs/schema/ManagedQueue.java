package dev.dibs.schema;

import dev.dibs.schema.jooq.tables.queues.DibsDeadLetterQueue;
import dev.dibs.schema.jooq.tables.queues.DibsMessageQueue;
import dev.dibs.table.OrderPolicy;
import dev.dibs.table.PauseTable;
import dev.dibs.table.QueueTable;
import dev.dibs.table.ResultTable;
import java.time.Duration;
import org.jooq.Converter;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * The managed tables as queues, in the lease form: what {@link QueueSchema} creates, {@code Queue.of} takes.
 *
 * <p>Immutable and safe for any thread.
 */
public final class ManagedQueue {

    private final ManagedTables tables;
    private final @Nullable OrderPolicy order;
    private final @Nullable Duration keepFor;

    private ManagedQueue(ManagedTables tables, @Nullable OrderPolicy order, @Nullable Duration keepFor) {
        this.tables = tables;
        this.order = order;
        this.keepFor = keepFor;
    }

    /** Queues whose payload is text, JSON as a rule, in the tables {@code dibs_*}. */
    public static QueueTable<String> ofText() {
        return named(ManagedTables.DEFAULT_PREFIX, null).text();
    }

    /** Queues whose payload is converted from and to text, in the tables {@code dibs_*}. */
    public static <T> QueueTable<T> of(Converter<String, T> converter) {
        return named(ManagedTables.DEFAULT_PREFIX, null).converted(converter);
    }

    /**
     * The managed tables under another prefix or in another schema.
     *
     * @param prefix what the tables' names begin with
     * @param schema the schema on PostgreSQL, the database on MySQL and MariaDB; null for the one that the connections
     *     are in
     */
    public static ManagedQueue named(String prefix, @Nullable String schema) {
        return new ManagedQueue(new ManagedTables(schema, prefix), null, null);
    }

    /**
     * The same tables with an order: messages with an order key are in work one at a time for each key, in the order of
     * their ids. Claims cost more then, so it is not the default.
     */
    public ManagedQueue ordered(OrderPolicy policy) {
        return new ManagedQueue(tables, policy, keepFor);
    }

    /**
     * The same tables with results, kept for an hour, so that messages can be awaited. Each message costs one more row then,
     * so it is not the default.
     */
    public ManagedQueue withResults() {
        return withResults(ResultTable.DEFAULT_KEEP_FOR);
    }

    /** The same with results that are kept for so long. */
    public ManagedQueue withResults(Duration kept) {
        return new ManagedQueue(tables, order, kept);
    }

    /** Queues whose payload is text. */
    public QueueTable<String> text() {
        return mapped(tables.message().PAYLOAD, tables.deadLetter().PAYLOAD);
    }

    /** Queues whose payload is converted from and to text. */
    public <T> QueueTable<T> converted(Converter<String, T> converter) {
        return mapped(
                tables.message().PAYLOAD.convert(converter),
                tables.deadLetter().PAYLOAD.convert(converter));
    }

    private <T> QueueTable<T> mapped(Field<T> payload, Field<T> deadPayload) {
        var message = tables.message();
        var mapped = DibsMessageQueue.of(message, payload)
                .deadLetters(DibsDeadLetterQueue.of(tables.deadLetter(), deadPayload))
                .pausedIn(pauses());
        var ordered = order == null ? mapped : mapped.orderKey(message.ORDER_KEY, order);
        return keepFor == null ? ordered : ordered.resultsIn(results().keepFor(keepFor));
    }

    private ResultTable results() {
        var result = tables.result();
        return ResultTable.of(result, result.MESSAGE_ID, result.OUTCOME, result.VALUE, result.EXPIRES_AT)
                .finishedAt(result.FINISHED_AT);
    }

    private PauseTable pauses() {
        var queue = tables.queue();
        return PauseTable.of(queue, queue.NAME, queue.PAUSED)
                .pausedAt(queue.PAUSED_AT)
                .changedAt(queue.UPDATED_AT);
    }
}
