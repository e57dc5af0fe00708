package dev.dibs.testkit;

import static org.jooq.impl.DSL.name;

import org.jooq.Converter;
import org.jooq.Record;
import org.jooq.TableField;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/** A view of a {@link WideTable} that takes only numbers for remarks. */
final class PickyTable extends TableImpl<Record> {

    private static final long serialVersionUID = 1L;

    final TableField<Record, Long> id = createField(name("id"), SQLDataType.BIGINT);
    final TableField<Record, String> topic = createField(name("topic"), SQLDataType.VARCHAR(60));
    final TableField<Record, String> body = createField(name("body"), SQLDataType.CLOB);
    final TableField<Record, Long> lockedUntil = createField(name("locked_until"), SQLDataType.BIGINT);
    final TableField<Record, Integer> remark = createField(
            name("remark"),
            SQLDataType.VARCHAR(60)
                    .asConvertedDataType(
                            Converter.ofNullable(String.class, Integer.class, Integer::valueOf, String::valueOf)));

    PickyTable(String name) {
        super(name(name));
    }
}
