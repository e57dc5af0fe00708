package dev.dibs.testkit;

import static org.jooq.impl.DSL.constraint;
import static org.jooq.impl.DSL.name;

import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.Identity;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/** A user's table with a column for every part, whose ids and headers are of a given type. */
final class WideTable extends TableImpl<Record> {

    /** How many characters a dedup key may have. */
    static final int LONGEST_KEY = 40;

    private static final long serialVersionUID = 1L;

    final TableField<Record, ?> id;
    final TableField<Record, ?> headers;
    final TableField<Record, String> body = createField(name("body"), SQLDataType.CLOB.nullable(false));
    final TableField<Record, String> topic = createField(name("topic"), SQLDataType.VARCHAR(60));
    final TableField<Record, Integer> urgency =
            createField(name("urgency"), SQLDataType.INTEGER.nullable(false).defaultValue(5));
    final TableField<Record, Long> retryAfter = createField(name("retry_after"), SQLDataType.BIGINT);
    final TableField<Record, Integer> tries =
            createField(name("tries"), SQLDataType.INTEGER.nullable(false).defaultValue(0));
    final TableField<Record, Long> lockedUntil = createField(name("locked_until"), SQLDataType.BIGINT);
    final TableField<Record, Long> claimToken = createField(name("claim_token"), SQLDataType.BIGINT);
    final TableField<Record, Long> endedAt = createField(name("ended_at"), SQLDataType.BIGINT);
    final TableField<Record, String> once = createField(name("once"), SQLDataType.VARCHAR(LONGEST_KEY));
    final TableField<Record, Long> bornAt =
            createField(name("born_at"), SQLDataType.BIGINT.nullable(false).defaultValue(7L));
    final TableField<Record, String> lastError = createField(name("last_error"), SQLDataType.CLOB);
    final TableField<Record, String> remark = createField(name("remark"), SQLDataType.VARCHAR(60));

    private WideTable(String name, DataType<?> idType, DataType<?> headersType) {
        super(name(name), (Schema) null);
        this.id = createField(name("id"), idType);
        this.headers = createField(name("headers"), headersType);
    }

    /** One with numbers that the database gives, and headers in a text. */
    static WideTable named(String name) {
        return new WideTable(name, SQLDataType.BIGINT.identity(true), SQLDataType.CLOB);
    }

    WideTable ids(DataType<?> type) {
        return new WideTable(getName(), type, headers.getDataType());
    }

    WideTable headers(DataType<?> type) {
        return new WideTable(getName(), id.getDataType(), type);
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"}) // the id's type is the test's
    public @Nullable Identity<Record, ?> getIdentity() {
        return id.getDataType().identity() ? Internal.createIdentity(this, (TableField) id) : null;
    }

    /** Creates it, with its claim index and the index of its dedup keys. */
    WideTable create(DSLContext dsl) {
        createBare(dsl);
        dsl.createUniqueIndex(index("once")).on(this, topic, once).execute();
        return this;
    }

    /** Creates it without the index of its dedup keys. */
    WideTable createBare(DSLContext dsl) {
        dsl.createTable(this)
                .columns(fields())
                .constraints(constraint().primaryKey(id))
                .execute();
        dsl.createIndex(index("claim")).on(this, topic, urgency, retryAfter, id).execute();
        return this;
    }

    /** The same mapping in a form, with all that is not about where dead messages and finished ones go. */
    QueueTable<String> mapped(LockForm form) {
        return parts(form, QueueTable.of(this, id, body));
    }

    /** The same with another view of the payload. */
    <T> QueueTable<T> mapped(LockForm form, Field<T> payload) {
        return parts(form, QueueTable.of(this, id, payload));
    }

    /** The same in row mode. */
    QueueTable<Record> rows(LockForm form) {
        return parts(form, QueueTable.of(this, id));
    }

    private <T> QueueTable<T> parts(LockForm form, QueueTable<T> bare) {
        return held(
                form,
                bare.queue(topic)
                        .priority(urgency)
                        .dueAt(retryAfter)
                        .attempt(tries)
                        .dedupKey(once)
                        .createdAt(bornAt)
                        .headers(headers)
                        .error(lastError));
    }

    /** A mapping with the columns that its form needs. */
    <T> QueueTable<T> held(LockForm form, QueueTable<T> mapping) {
        return form == LockForm.LEASE ? mapping.leasedUntil(lockedUntil).leaseToken(claimToken) : mapping;
    }

    /** Its mapping as a place for dead letters. */
    QueueTable<String> graves() {
        return QueueTable.of(this, id, body)
                .queue(topic)
                .attempt(tries)
                .dedupKey(once)
                .createdAt(bornAt)
                .headers(headers)
                .finishedAt(endedAt)
                .error(lastError);
    }

    /** The same in row mode. */
    QueueTable<Record> rowGraves() {
        return QueueTable.of(this, id).queue(topic).finishedAt(endedAt).error(lastError);
    }

    private Name index(String part) {
        return name(getName() + "_" + part);
    }
}
