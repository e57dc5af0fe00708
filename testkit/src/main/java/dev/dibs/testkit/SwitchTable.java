package dev.dibs.testkit;

import static org.jooq.impl.DSL.constraint;
import static org.jooq.impl.DSL.name;

import dev.dibs.table.PauseTable;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A user's table that says which queues are switched off. */
final class SwitchTable extends TableImpl<Record> {

    private static final long serialVersionUID = 1L;

    final TableField<Record, String> topic =
            createField(name("topic"), SQLDataType.VARCHAR(60).nullable(false));
    final TableField<Record, Integer> off =
            createField(name("off"), SQLDataType.INTEGER.nullable(false).defaultValue(0));
    final TableField<Record, Long> offSince = createField(name("off_since"), SQLDataType.BIGINT);
    final TableField<Record, Long> changedAt = createField(name("changed_at"), SQLDataType.BIGINT);

    SwitchTable(String name) {
        super(name(name));
    }

    SwitchTable create(DSLContext dsl) {
        dsl.createTable(this)
                .columns(fields())
                .constraints(constraint().primaryKey(topic))
                .execute();
        return this;
    }

    /** What a mapping says of it. */
    PauseTable pauses() {
        return PauseTable.of(this, topic, off).pausedAt(offSince).changedAt(changedAt);
    }
}
