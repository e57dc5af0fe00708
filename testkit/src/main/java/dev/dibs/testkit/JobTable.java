package dev.dibs.testkit;

import static org.jooq.impl.DSL.constraint;
import static org.jooq.impl.DSL.name;

import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Identity;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/** A table as an application might have had it before it met Dibs, with names of its own. */
final class JobTable extends TableImpl<Record> {

    /** The largest urgency that the table takes. */
    static final int MOST_PATIENT = 2_000;

    private static final long serialVersionUID = 1L;

    final TableField<Record, Long> jobId = createField(name("job_id"), SQLDataType.BIGINT.identity(true));
    final TableField<Record, String> body = createField(name("body"), SQLDataType.CLOB.nullable(false));
    final TableField<Record, String> topic =
            createField(name("topic"), SQLDataType.VARCHAR(60).nullable(false));
    final TableField<Record, Integer> urgency =
            createField(name("urgency"), SQLDataType.INTEGER.nullable(false).defaultValue(5));
    final TableField<Record, Long> retryAfter = createField(name("retry_after"), SQLDataType.BIGINT.nullable(false));
    final TableField<Record, Integer> tries =
            createField(name("tries"), SQLDataType.INTEGER.nullable(false).defaultValue(0));
    final TableField<Record, String> account = createField(name("account"), SQLDataType.VARCHAR(60));
    final TableField<Record, Long> lockedUntil = createField(name("locked_until"), SQLDataType.BIGINT);
    final TableField<Record, Long> claimToken = createField(name("claim_token"), SQLDataType.BIGINT);
    final TableField<Record, Long> endedAt = createField(name("ended_at"), SQLDataType.BIGINT);
    final TableField<Record, String> lastError = createField(name("last_error"), SQLDataType.CLOB);

    JobTable(String name) {
        super(name(name));
    }

    @Override
    public @Nullable Identity<Record, ?> getIdentity() {
        return Internal.createIdentity(this, jobId);
    }

    /** Creates it, with the index that serves the claim order. */
    JobTable create(DSLContext dsl) {
        dsl.createTable(this)
                .columns(fields())
                .constraints(constraint().primaryKey(jobId), constraint().check(urgency.between(0, MOST_PATIENT)))
                .execute();
        dsl.createIndex(name(getName() + "_claim"))
                .on(this, topic, urgency, retryAfter, jobId)
                .execute();
        return this;
    }

    /** Its mapping in a form, with another such table for dead letters. */
    QueueTable<String> mapped(LockForm form, JobTable dead) {
        return mapped(form, body, dead);
    }

    /** The same with another view of the payload. */
    <T> QueueTable<T> mapped(LockForm form, Field<T> payload, JobTable dead) {
        var plain = QueueTable.of(this, jobId, payload)
                .queue(topic)
                .priority(urgency)
                .dueAt(retryAfter)
                .attempt(tries)
                .error(lastError)
                .deadLetters(dead.graves());
        return switch (form) {
            case ROW_LOCK -> plain;
            case LEASE -> plain.leasedUntil(lockedUntil).leaseToken(claimToken);
            case ADVISORY -> plain.lockKey(jobId);
        };
    }

    /** Its mapping as a place for dead letters. */
    QueueTable<String> graves() {
        return QueueTable.of(this, jobId, body)
                .queue(topic)
                .priority(urgency)
                .dueAt(retryAfter)
                .attempt(tries)
                .finishedAt(endedAt)
                .error(lastError);
    }
}
