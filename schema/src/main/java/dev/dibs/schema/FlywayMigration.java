package dev.dibs.schema;

import dev.dibs.table.QueueException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One server's scripts, run by Flyway beside any other use of Flyway in the same schema.
 *
 * <p>The only class that needs Flyway to be there.
 */
final class FlywayMigration {

    private static final Set<MigrationState> NEWER =
            Set.of(MigrationState.FUTURE_SUCCESS, MigrationState.FUTURE_FAILED);

    private static final Logger LOG = LoggerFactory.getLogger(FlywayMigration.class);

    private final Flyway flyway;
    private final Server server;
    private final ManagedTables tables;

    /** Sets Flyway up from these values alone: files and environment variables are meant for the application's. */
    FlywayMigration(DataSource dataSource, Server server, String schema, ManagedTables tables) {
        this.server = server;
        this.tables = tables;
        this.flyway = Flyway.configure(FlywayMigration.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:" + server.scripts())
                .failOnMissingLocations(true)
                .placeholders(Map.of("dibs_schema", schema, "dibs_prefix", tables.prefix()))
                .defaultSchema(schema)
                .table(tables.history())
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .baselineDescription("before Dibs")
                .ignoreMigrationPatterns(new String[0])
                .load();
    }

    /** Runs the scripts that have not run yet, and returns their versions. */
    List<String> run() {
        var history = history();
        refuseNewer(history);
        try {
            if (has(history, MigrationState.FAILED)) {
                flyway.repair();
            }
            return migrate();
        } catch (FlywayException failed) {
            throw new QueueException(
                    "%s on %s: migrating failed; run it again when the cause is gone, it resumes where it stopped: %s"
                            .formatted(tables, server, rootOf(failed).getMessage()),
                    failed);
        }
    }

    /**
     * Tries again where Flyway itself, not the database, said no. It looks outside of its lock whether the schema holds
     * other tables and so needs a baseline. Of instances that start together, one can take another's new tables for
     * such and fail; when it comes again it finds the history and waits for its turn.
     */
    private List<String> migrate() {
        try {
            return versions();
        } catch (FlywayException failed) {
            if (rootOf(failed) instanceof SQLException) {
                throw failed;
            }
            return versions();
        }
    }

    private List<String> versions() {
        var result = flyway.migrate();
        var versions = result.migrations.stream().map(script -> script.version).toList();
        if (!versions.isEmpty() && result.initialSchemaVersion == null && tables.schema() == null) {
            LOG.info(
                    "{}: created in an empty schema; if the application's own Flyway comes to it later, that one needs"
                            + " baselineOnMigrate=true and baselineVersion=0",
                    tables);
        }
        return versions;
    }

    private MigrationInfo[] history() {
        try {
            return flyway.info().all();
        } catch (FlywayException failed) {
            throw new QueueException(
                    "%s: Flyway cannot work on %s; it needs org.flywaydb:%s on the class path and two connections at once: %s"
                            .formatted(
                                    tables,
                                    server,
                                    server.flywayArtifact(),
                                    rootOf(failed).getMessage()),
                    failed);
        }
    }

    private void refuseNewer(MigrationInfo[] history) {
        Arrays.stream(history)
                .filter(script -> NEWER.contains(script.getState()))
                .map(MigrationInfo::getVersion)
                .max(Comparator.naturalOrder())
                .ifPresent(newest -> {
                    throw new QueueException(
                            "%s on %s have version %s, and this Dibs knows them up to %s; update Dibs, an older one must not run on newer tables"
                                    .formatted(tables, server, newest, newestKnown(history)));
                });
    }

    private static String newestKnown(MigrationInfo[] history) {
        return Arrays.stream(history)
                .filter(script -> script.getState().isResolved())
                .map(MigrationInfo::getVersion)
                .max(Comparator.naturalOrder())
                .map(Object::toString)
                .orElse("none");
    }

    private static boolean has(MigrationInfo[] history, MigrationState state) {
        return Arrays.stream(history).anyMatch(script -> script.getState() == state);
    }

    private static Throwable rootOf(Throwable failure) {
        var root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
