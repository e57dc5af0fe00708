package dev.dibs.testkit;

import static org.jooq.impl.DSL.constraint;
import static org.jooq.impl.DSL.name;

import dev.dibs.table.LockForm;
import dev.dibs.table.QueueTable;
import org.jooq.DSLContext;
import org.jooq.Identity;
import org.jooq.Name;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Schema;
import org.jooq.TableField;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/** A table whose columns are named by words of SQL, in a schema and with an ending of the test's choice. */
final class NamedTable extends TableImpl<Record> {

    private static final long serialVersionUID = 1L;

    final TableField<Record, Long> id;
    final TableField<Record, String> payload;
    final TableField<Record, String> queue;
    final TableField<Record, Integer> priority;
    final TableField<Record, Long> dueAt;
    final TableField<Record, Integer> attempt;
    final TableField<Record, Long> leasedUntil;
    final TableField<Record, Long> leaseToken;
    final TableField<Record, String> dedupKey;
    final TableField<Record, String> headers;
    final TableField<Record, String> error;

    private final String ending;

    NamedTable(Name name, String ending) {
        super(name.unqualifiedName(), schema(name));
        this.ending = ending;
        this.id = createField(name("key" + ending), SQLDataType.BIGINT.identity(true));
        this.payload = createField(name("select" + ending), SQLDataType.CLOB.nullable(false));
        this.queue = createField(name("group" + ending), SQLDataType.VARCHAR(60).nullable(false));
        this.priority = createField(
                name("order" + ending), SQLDataType.INTEGER.nullable(false).defaultValue(5));
        this.dueAt = createField(name("limit" + ending), SQLDataType.BIGINT.nullable(false));
        this.attempt = createField(name("user" + ending), SQLDataType.INTEGER.nullable(false));
        this.leasedUntil = createField(name("table" + ending), SQLDataType.BIGINT);
        this.leaseToken = createField(name("where" + ending), SQLDataType.BIGINT);
        this.dedupKey = createField(name("unique" + ending), SQLDataType.VARCHAR(60));
        this.headers = createField(name("values" + ending), SQLDataType.CLOB);
        this.error = createField(name("from" + ending), SQLDataType.CLOB);
    }

    private static @Nullable Schema schema(Name name) {
        return name.qualified() ? DSL.schema(name.qualifier()) : null;
    }

    @Override
    public @Nullable Identity<Record, ?> getIdentity() {
        return Internal.createIdentity(this, id);
    }

    NamedTable create(DSLContext dsl) {
        dsl.createTable(this)
                .columns(fields())
                .constraints(constraint().primaryKey(id))
                .execute();
        var index = name(getName() + " once");
        if (dsl.family() == SQLDialect.SQLITE) { // where the schema stands before the index's name
            dsl.createUniqueIndex(
                            getQualifiedName().qualified()
                                    ? getQualifiedName().qualifier().append(index)
                                    : index)
                    .on(DSL.table(getUnqualifiedName()), queue, dedupKey)
                    .execute();
        } else {
            dsl.createUniqueIndex(index).on(this, queue, dedupKey).execute();
        }
        return this;
    }

    QueueTable<String> mapped(LockForm form, NamedTable dead) {
        var plain = parts().dedupKey(dedupKey).deadLetters(dead.parts());
        return form == LockForm.LEASE ? plain.leasedUntil(leasedUntil).leaseToken(leaseToken) : plain;
    }

    private QueueTable<String> parts() {
        return QueueTable.of(this, id, payload)
                .queue(queue)
                .priority(priority)
                .dueAt(dueAt)
                .attempt(attempt)
                .headers(headers)
                .error(error);
    }

    /** Another such table of the same columns. */
    NamedTable graves(Name name) {
        return new NamedTable(name, ending);
    }
}
