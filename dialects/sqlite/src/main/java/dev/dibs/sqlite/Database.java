package dev.dibs.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/**
 * Which database a connection has open, read from its JDBC URL.
 *
 * @param name the file's absolute path, or the URL's own words where there is no file
 * @param isMemory whether it lives in memory
 * @param isShared whether other connections of this process can open the same memory
 */
record Database(String name, boolean isMemory, boolean isShared) {

    private static final String PREFIX = "jdbc:sqlite:";

    static Database of(Connection connection) throws SQLException {
        return of(connection.getMetaData().getURL());
    }

    static Database of(String url) {
        var address = url.startsWith(PREFIX) ? url.substring(PREFIX.length()) : url;
        var words = address.toLowerCase(Locale.ROOT);
        var memory = words.isEmpty() || words.contains(":memory:") || words.contains("mode=memory");
        return memory
                ? new Database(address, true, words.contains("cache=shared"))
                : new Database(file(address), false, true);
    }

    private static String file(String address) {
        var end = address.indexOf('?');
        var path = end < 0 ? address : address.substring(0, end);
        var local = path.startsWith("file:") ? path.substring("file:".length()) : path;
        return real(Path.of(local).toAbsolutePath().normalize()).toString();
    }

    // Whichever link leads to it. A file that is not there yet is no link.
    private static Path real(Path path) {
        try {
            var folder = path.getParent() == null
                    ? path
                    : path.getParent().toRealPath().resolve(path.getFileName());
            return Files.exists(folder) ? folder.toRealPath() : folder;
        } catch (IOException unknown) {
            return path;
        }
    }
}
