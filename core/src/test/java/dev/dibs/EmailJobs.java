package dev.dibs;

import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A user's own table, described as jOOQ's generator would. */
public final class EmailJobs extends TableImpl<Record> {

    private static final long serialVersionUID = 1L;

    /** How many characters of a queue's name the table holds. */
    public static final int QUEUE_LENGTH = 20;

    public final TableField<Record, Long> id = createField(DSL.name("job_id"), SQLDataType.BIGINT);
    public final TableField<Record, String> payload = createField(DSL.name("payload"), SQLDataType.CLOB);
    public final TableField<Record, String> queue = createField(DSL.name("name"), SQLDataType.VARCHAR(QUEUE_LENGTH));
    public final TableField<Record, Integer> priority = createField(DSL.name("urgency"), SQLDataType.INTEGER);
    public final TableField<Record, Long> dueAt = createField(DSL.name("retry_after"), SQLDataType.BIGINT);
    public final TableField<Record, Integer> attempt = createField(DSL.name("attempt"), SQLDataType.INTEGER);
    public final TableField<Record, Long> leasedUntil = createField(DSL.name("locked_until"), SQLDataType.BIGINT);
    public final TableField<Record, Long> leaseToken = createField(DSL.name("lock_token"), SQLDataType.BIGINT);
    public final TableField<Record, String> orderKey = createField(DSL.name("customer"), SQLDataType.VARCHAR(20));
    public final TableField<Record, Long> finishedAt = createField(DSL.name("finished_at"), SQLDataType.BIGINT);
    public final TableField<Record, String> dedupKey = createField(DSL.name("dedup_key"), SQLDataType.VARCHAR(20));
    public final TableField<Record, Long> createdAt = createField(DSL.name("created_at"), SQLDataType.BIGINT);
    public final TableField<Record, String> headers = createField(DSL.name("headers"), SQLDataType.CLOB);
    public final TableField<Record, String> error = createField(DSL.name("error"), SQLDataType.CLOB);

    public EmailJobs() {
        this("email_jobs");
    }

    /** The same columns under another table's name. */
    public EmailJobs(String name) {
        super(DSL.name(name));
    }
}
