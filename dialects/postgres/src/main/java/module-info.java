import dev.dibs.postgres.PostgresDialect;
import dev.dibs.spi.Dialect;
import org.jspecify.annotations.NullMarked;

/** Queues on PostgreSQL. */
@NullMarked
@SuppressWarnings("requires-automatic") // the driver names its module in its manifest alone
module dev.dibs.postgres {
    requires transitive dev.dibs;
    requires java.sql;
    requires org.slf4j;
    requires static org.postgresql.jdbc;

    exports dev.dibs.postgres;

    provides Dialect with
            PostgresDialect;
}
