package dev.dibs.testkit;

import static org.jooq.impl.DSL.constraint;
import static org.jooq.impl.DSL.name;

import dev.dibs.table.ResultTable;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A user's table that keeps for a while how messages ended. */
final class AnswerTable extends TableImpl<Record> {

    /** What the database takes from nobody. */
    static final String FORBIDDEN = "forbidden";

    private static final long serialVersionUID = 1L;

    final TableField<Record, Long> mail = createField(name("mail"), SQLDataType.BIGINT.nullable(false));
    final TableField<Record, String> how =
            createField(name("how"), SQLDataType.VARCHAR(10).nullable(false));
    final TableField<Record, String> answer = createField(name("answer"), SQLDataType.CLOB);
    final TableField<Record, Long> keepUntil = createField(name("keep_until"), SQLDataType.BIGINT.nullable(false));
    final TableField<Record, Long> endedAt = createField(name("ended_at"), SQLDataType.BIGINT);

    AnswerTable(String name) {
        super(name(name));
    }

    AnswerTable create(DSLContext dsl) {
        dsl.createTable(this)
                .columns(fields())
                .constraints(constraint().primaryKey(mail), constraint().check(answer.ne(FORBIDDEN)))
                .execute();
        return this;
    }

    /** Creates it without its primary key. */
    AnswerTable createBare(DSLContext dsl) {
        dsl.createTable(this).columns(fields()).execute();
        return this;
    }

    /** What a mapping says of it. */
    ResultTable results() {
        return ResultTable.of(this, mail, how, answer, keepUntil).finishedAt(endedAt);
    }
}
