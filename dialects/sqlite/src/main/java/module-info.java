import dev.dibs.spi.Dialect;
import dev.dibs.sqlite.SqliteDialect;
import org.jspecify.annotations.NullMarked;

/** Queues on SQLite. */
@NullMarked
module dev.dibs.sqlite {
    requires transitive dev.dibs;
    requires java.sql;
    requires org.slf4j;

    exports dev.dibs.sqlite;

    provides Dialect with
            SqliteDialect;
}
