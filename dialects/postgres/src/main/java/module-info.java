import dev.dibs.postgres.PostgresDialect;
import dev.dibs.spi.Dialect;
import org.jspecify.annotations.NullMarked;

/** Queues on PostgreSQL. */
@NullMarked
module dev.dibs.postgres {
    requires transitive dev.dibs;
    requires java.sql;
    requires static org.postgresql.jdbc;

    exports dev.dibs.postgres;

    provides Dialect with
            PostgresDialect;
}
