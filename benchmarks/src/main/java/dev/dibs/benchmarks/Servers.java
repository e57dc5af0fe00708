package dev.dibs.benchmarks;

import dev.dibs.testkit.Address;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the servers are: for this JVM, and for those that are started from it. */
final class Servers {

    private static final String PREFIX = "dibs.test.";
    private static final String DURABLE = PREFIX + "durable";

    private Servers() {}

    /** Servers that are started from now on flush each commit, as a server in earnest does. */
    static void areToFlush() {
        System.setProperty(DURABLE, "true");
    }

    /** Takes a server of the user's own, and tells which database it is. */
    static Database at(String url, @Nullable String user, @Nullable String password) {
        var database = Database.ofUrl(url);
        set(database, "url", url);
        set(database, "user", user);
        set(database, "password", password);
        return database;
    }

    private static void set(Database database, String what, @Nullable String value) {
        if (value != null) {
            System.setProperty("%s%s.%s".formatted(PREFIX, database, what), value);
        }
    }

    /**
     * An argument for a JVM that shall use the same server: the name of a file, so that no list of processes shows a password.
     */
    static String argument(Database database, Address address) throws IOException {
        var file = Files.createTempFile("dibs-benchmarks-", ".args");
        file.toFile().deleteOnExit();
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        Files.write(file, properties(database, address));
        return "@" + file;
    }

    private static List<String> properties(Database database, Address address) {
        if (database == Database.SQLITE) {
            return List.of("-D" + DURABLE + "=true");
        }
        return List.of(
                property(database, "url", address.url()),
                property(database, "user", address.user()),
                property(database, "password", address.password()));
    }

    private static String property(Database database, String what, String value) {
        return "\"-D%s%s.%s=%s\""
                .formatted(PREFIX, database, what, value.replace("\\", "\\\\").replace("\"", "\\\""));
    }

    /** This JVM's program. */
    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }
}
