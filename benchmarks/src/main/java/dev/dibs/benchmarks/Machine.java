package dev.dibs.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jooq.Constants;

/** What the figures were measured on. */
final class Machine {

    private static final long GIGABYTE = 1L << 30;

    private Machine() {}

    /** What a reader has to know, by its name: the machine, versions, and each server's settings as the server tells them. */
    static Map<String, String> facts(List<Database> databases) {
        var facts = new LinkedHashMap<String, String>();
        facts.put(
                "Measured",
                ZonedDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm z")));
        facts.put("Machine", "%d cores, %s, %d GB".formatted(processors(), processor(), memory()));
        facts.put("System", "%s %s".formatted(System.getProperty("os.name"), System.getProperty("os.version")));
        facts.put("Java", "%s (%s)".formatted(System.getProperty("java.version"), System.getProperty("java.vm.name")));
        facts.put("jOOQ", Constants.FULL_VERSION);
        databases.forEach(database -> facts.put(database.toString(), server(database)));
        return facts;
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize() / GIGABYTE
                : Runtime.getRuntime().maxMemory() / GIGABYTE;
    }

    // Only Linux tells its processor's name in a file.
    private static String processor() {
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElseGet(() -> System.getProperty("os.arch"));
        } catch (IOException elsewhere) {
            return System.getProperty("os.arch");
        }
    }

    private static String server(Database database) {
        var address = database.create();
        try (var pool = address.pool(1);
                var connection = pool.getConnection()) {
            return "%s; %s".formatted(version(connection), String.join(", ", settings(database, connection)));
        } catch (SQLException unknown) {
            return "does not tell its settings: " + unknown.getMessage();
        }
    }

    private static String version(Connection connection) throws SQLException {
        var data = connection.getMetaData();
        return "%s %s".formatted(data.getDatabaseProductName(), data.getDatabaseProductVersion());
    }

    private static List<String> settings(Database database, Connection connection) throws SQLException {
        var settings = new ArrayList<String>();
        var isDurable = true;
        for (var setting : database.durability()) {
            var value = value(connection, setting.query());
            isDurable &= value.filter(setting.durable()::contains).isPresent();
            settings.add("%s %s".formatted(setting.name(), value.orElse("unknown")));
        }
        settings.add(
                isDurable
                        ? "commits are flushed"
                        : "COMMITS ARE NOT FLUSHED: these are not figures of durable commits");
        return settings;
    }

    private static Optional<String> value(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
        }
    }

    /**
     * A setting that decides whether a commit is on the disk when it is answered.
     *
     * @param durable its values with which it is
     */
    record Durability(String name, String query, List<String> durable) {}
}
