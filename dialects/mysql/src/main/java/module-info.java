import dev.dibs.mysql.MysqlDialect;
import dev.dibs.spi.Dialect;
import org.jspecify.annotations.NullMarked;

/** Queues on MySQL and MariaDB. */
@NullMarked
module dev.dibs.mysql {
    requires transitive dev.dibs;

    exports dev.dibs.mysql;

    provides Dialect with
            MysqlDialect;
}
