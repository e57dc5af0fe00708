package dev.dibs.schema;

import dev.dibs.table.QueueException;
import dev.dibs.wake.Announcement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jooq.Table;

/**
 * Creates the managed tables and keeps them up to date; and has any table announce its inserts.
 *
 * <p>Any number of instances may call it at the same moment, at each start: what is up to date is left alone. It keeps
 * a history of its own and touches nothing else. In a schema that an application's own Flyway migrates too, that one
 * goes first, or starts its history at version 0 ({@code baselineOnMigrate}, {@code baselineVersion}).
 */
public final class QueueSchema {

    private QueueSchema() {}

    /** Migrates the tables {@code dibs_*} of the schema that the connections are in. */
    public static List<String> migrate(DataSource dataSource) {
        return builder(dataSource).migrate();
    }

    /** Managed tables of other names or in another schema. */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Switches how a table announces its inserts: the managed one, or one of the application's own.
     *
     * <p>PostgreSQL only. A trigger and its function in the table's schema, {@code dibs_announce}, are created or replaced,
     * or the trigger is taken away; what is as wanted is left alone, so any number of instances may call it at each
     * start. Where something changes, writers of the table wait while it does, and for at most three seconds. Rows that
     * are written straight into a partition are announced by a trigger of that partition only. A table that is written
     * by two-phase commits is not to announce: PostgreSQL cannot prepare a transaction that does.
     *
     * @throws QueueException if the database or the table cannot announce, or if a transaction keeps the table locked
     */
    public static void announce(DataSource dataSource, Table<?> table, Announcement announcement) {
        new AnnouncingTable(dataSource, table).announce(announcement);
    }

    /**
     * How a table announces its inserts; off too where its trigger is disabled, or was made before the table got the name
     * that it has.
     *
     * @throws QueueException if the database or the table cannot announce
     */
    public static Announcement announcement(DataSource dataSource, Table<?> table) {
        return new AnnouncingTable(dataSource, table).announcement();
    }

    /** Where the managed tables are and what they are called. */
    public static final class Builder {

        private final DataSource dataSource;
        private ManagedTables tables = new ManagedTables(null, ManagedTables.DEFAULT_PREFIX);

        private Builder(DataSource dataSource) {
            this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        }

        /** What the tables' names begin with; {@code dibs_} unless set. */
        public Builder prefix(String prefix) {
            tables = new ManagedTables(tables.schema(), prefix);
            return this;
        }

        /**
         * The schema on PostgreSQL, the database on MySQL and MariaDB; created if it is missing.
         *
         * <p>Unless set, it is the one that the connections are in.
         */
        public Builder schema(String schema) {
            tables = new ManagedTables(schema, tables.prefix());
            return this;
        }

        /**
         * Runs the scripts that have not run yet, and returns their versions.
         *
         * <p>Needs Flyway on the class path.
         *
         * @throws QueueException if the database is unknown, too old or newer than this library, if the tables were
         *     created in another way, or if a script fails
         */
        public List<String> migrate() {
            try {
                return new Migration(dataSource, tables).run();
            } catch (SQLException failed) {
                throw new QueueException("%s: the database refuses: %s".formatted(tables, failed.getMessage()), failed);
            }
        }

        /** Switches how the table of messages announces its inserts, as {@link QueueSchema#announce} does. */
        public void announce(Announcement announcement) {
            QueueSchema.announce(dataSource, tables.message(), announcement);
        }
    }
}
