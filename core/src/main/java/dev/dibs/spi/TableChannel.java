package dev.dibs.spi;

import static org.jooq.impl.DSL.cast;
import static org.jooq.impl.DSL.concat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.length;
import static org.jooq.impl.DSL.md5;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.octetLength;
import static org.jooq.impl.DSL.position;
import static org.jooq.impl.DSL.quotedName;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;
import static org.jooq.impl.DSL.when;

import dev.dibs.table.QueueException;
import dev.dibs.wake.Announcement;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Where the inserts of a PostgreSQL table are told of, and how its listeners say that they sleep.
 *
 * <p>The channel is made of the table's own schema and name and of nothing else, so that all who ask for it get the same
 * one, whatever their search path is, and no two tables have one in common. PostgreSQL cuts longer channels, so beyond 63
 * bytes it is a hash; so it is where a dot within a name would leave open where the schema ends.
 *
 * @param fullName the table's, with its own schema
 * @param channel what is notified
 * @param sleepLock the key of the advisory lock that sessions share while they sleep until they are notified
 * @param announcement what the table's trigger does; off where it is missing, disabled, or made for another name
 */
public record TableChannel(Name fullName, String channel, long sleepLock, Announcement announcement) {

    /** The trigger, and the function that it calls with the channel and the announcement's name. */
    public static final String TRIGGER = "dibs_announce";

    /** The upper half of the keys of sleepers' locks, "dibs" in ASCII; the lower one is the table's number in its database. */
    public static final long SLEEPERS = 0x64696273L << Integer.SIZE;

    private static final String PREFIX = "dibs:";

    private static final int LONGEST = 63;

    private static final Name CLASS = name("pg_class");
    private static final Name NAMESPACE = name("pg_namespace");
    private static final Name TRIGGERS = name("pg_trigger");

    private static final Field<Long> NUMBER = field(CLASS.append("oid"), SQLDataType.BIGINT);
    private static final Field<String> SCHEMA_NAME = text(NAMESPACE.append("nspname"));
    private static final Field<String> TABLE_NAME = text(CLASS.append("relname"));

    /**
     * That of the table which a statement of this DSLContext would write to.
     *
     * @throws QueueException if there is none
     */
    public static TableChannel of(DSLContext dsl, Table<?> table) {
        return read(dsl, NUMBER.eq(function("to_regclass", SQLDataType.BIGINT, val(dsl.render(table)))))
                .orElseThrow(() -> missing(table));
    }

    /**
     * That of the same table as it is now, however the connection would look for one.
     *
     * @throws QueueException if it is gone
     */
    public TableChannel now(DSLContext dsl) {
        var isTheSame = SCHEMA_NAME.eq(val(fullName.first())).and(TABLE_NAME.eq(val(fullName.last())));
        return read(dsl, isTheSame).orElseThrow(() -> missing(table(fullName)));
    }

    private static Optional<TableChannel> read(DSLContext dsl, Condition isTheTable) {
        return dsl.select(SCHEMA_NAME, TABLE_NAME, channelOfTable(), keyOfSleepers(), triggered())
                .from(table(CLASS))
                .join(table(NAMESPACE))
                .on(field(NAMESPACE.append("oid"), SQLDataType.BIGINT)
                        .eq(field(CLASS.append("relnamespace"), SQLDataType.BIGINT)))
                .leftJoin(table(TRIGGERS))
                .on(field(TRIGGERS.append("tgrelid"), SQLDataType.BIGINT)
                        .eq(NUMBER)
                        .and(text(TRIGGERS.append("tgname")).eq(inline(TRIGGER))))
                .where(isTheTable)
                .fetchOptional(row -> new TableChannel(
                        quotedName(row.value1(), row.value2()),
                        row.value3(),
                        row.value4(),
                        Announcement.valueOf(row.value5())));
    }

    private static QueueException missing(Table<?> table) {
        return new QueueException(
                "table %s: there is none of this name where the connection looks; create it first, or name it with its schema and in its own capitals"
                        .formatted(table));
    }

    private static Field<String> channelOfTable() {
        var plain = concat(SCHEMA_NAME, inline("."), TABLE_NAME);
        var unambiguous = concat(cast(length(SCHEMA_NAME), SQLDataType.VARCHAR), inline("."), plain);
        var isPlain = octetLength(plain)
                .le(inline(LONGEST - PREFIX.length()))
                .and(position(SCHEMA_NAME, ".").eq(inline(0)))
                .and(position(TABLE_NAME, ".").eq(inline(0)));
        return concat(inline(PREFIX), when(isPlain, plain).otherwise(md5(unambiguous)));
    }

    private static Field<Long> keyOfSleepers() {
        return cast(NUMBER, SQLDataType.BIGINT).plus(inline(SLEEPERS));
    }

    private static Field<String> triggered() {
        var hasCondition = field(TRIGGERS.append("tgqual")).isNotNull();
        return when(isInForce(Announcement.ON_DEMAND).and(hasCondition), inline(Announcement.ON_DEMAND.name()))
                .when(isInForce(Announcement.ALWAYS), inline(Announcement.ALWAYS.name()))
                .otherwise(inline(Announcement.OFF.name()));
    }

    // O: in sessions that are no replica's; A: in all. Its arguments are stored one after the other, each with a zero
    // byte
    // behind it.
    private static Condition isInForce(Announcement announcement) {
        var end = inline("00");
        var arguments = concat(hex(channelOfTable()), end, hex(inline(announcement.name())), end);
        return text(TRIGGERS.append("tgenabled"))
                .in(inline("O"), inline("A"))
                .and(function("encode", SQLDataType.CLOB, field(TRIGGERS.append("tgargs")), inline("hex"))
                        .eq(arguments));
    }

    private static Field<String> hex(Field<String> text) {
        var encoding = function("getdatabaseencoding", SQLDataType.VARCHAR);
        var bytes = function("convert_to", SQLDataType.BLOB, text, encoding);
        return function("encode", SQLDataType.CLOB, bytes, inline("hex"));
    }

    private static Field<String> text(Name column) {
        return field(column, SQLDataType.CLOB);
    }
}
