package dev.dibs.codegen;

import java.util.Locale;
import java.util.Optional;
import org.jooq.SQLDialect;
import org.jooq.exception.SQLDialectNotSupportedException;
import org.jooq.impl.DefaultDataType;
import org.jooq.meta.ColumnDefinition;
import org.jooq.meta.DataTypeDefinition;

/**
 * The Java types of a column.
 *
 * @param sql the type's name in the database
 * @param stored what jOOQ makes of it; empty where that is no class of Java's or jOOQ's own, as for an enum
 * @param read the name of the class as which generated classes read it, by a converter or as it is stored
 */
record ColumnType(SQLDialect dialect, String sql, Optional<Class<?>> stored, String read) {

    /** The types of a column, as forced types leave them. */
    static ColumnType of(ColumnDefinition column) {
        var type = column.getType();
        var stored = stored(type);
        return new ColumnType(
                column.getDatabase().getDialect(),
                column.getDefinedType().getType().toLowerCase(Locale.ROOT),
                stored,
                Optional.ofNullable(type.getJavaType())
                        .or(() -> stored.map(Class::getName))
                        .orElse(type.getType()));
    }

    /** Whether a converter or a binding makes another type of it. */
    boolean isConverted() {
        return stored.isEmpty() || !stored.get().getName().equals(read);
    }

    /** Whether it is read as an instance of this class. */
    boolean isReadAs(Class<?> type) {
        return isConverted() ? read.equals(type.getName()) : type.isAssignableFrom(stored.orElseThrow());
    }

    /** Whether it is a TIMESTAMP of MySQL or MariaDB, a point in time that jOOQ reads as a date and time of day. */
    boolean isMysqlTimestamp() {
        return (dialect.family() == SQLDialect.MYSQL || dialect.family() == SQLDialect.MARIADB)
                && sql.startsWith("timestamp")
                && !isConverted();
    }

    /** Whether it is an INTEGER of SQLite, which as a primary key is the row's own number. */
    boolean isSqliteInteger() {
        return dialect.family() == SQLDialect.SQLITE && sql.equals("integer");
    }

    /** The type as messages name it. */
    @Override
    public String toString() {
        return "%s, read as %s".formatted(sql, read);
    }

    private static Optional<Class<?>> stored(DataTypeDefinition type) {
        var database = type.getDatabase();
        if (type.getUserType() != null && database.getEnum(type.getSchema(), type.getUserType()) != null) {
            return Optional.empty();
        }
        try {
            return Optional.of(DefaultDataType.getDataType(
                            database.getDialect(), type.getType(), type.getPrecision(), type.getScale())
                    .getType());
        } catch (SQLDialectNotSupportedException unknown) {
            return Optional.empty();
        }
    }
}
