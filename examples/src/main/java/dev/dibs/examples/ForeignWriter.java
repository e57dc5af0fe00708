package dev.dibs.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * A second program, which knows nothing of Dibs: it writes each line that it reads as an urgent row, with plain SQL.
 *
 * <p>Arguments: JDBC URL, user, password.
 */
public final class ForeignWriter {

    /** What the numbers of its invoices begin with. */
    static final String MARK = "EXT-";

    /** So that its rows come in while the service works and after it has run dry. */
    private static final long PAUSE_MILLIS = 100;

    private static final String INSERT = "insert into dibs_message (queue, payload, priority) values (?, ?, -1)";

    private ForeignWriter() {}

    /** Reads payloads from standard input until it ends. */
    public static void main(String[] args) throws SQLException, IOException, InterruptedException {
        try (var connection = connection(args[0], args[1], args[2]);
                var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (var line = input.readLine(); line != null; line = input.readLine()) {
                write(connection, line);
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    // An empty user is none: the URL may name one.
    private static Connection connection(String url, String user, String password) throws SQLException {
        return user.isEmpty() ? DriverManager.getConnection(url) : DriverManager.getConnection(url, user, password);
    }

    /** Whether a payload is one of its own. */
    static boolean wrote(String payload) {
        return payload.contains(MARK);
    }

    private static void write(Connection connection, String payload) throws SQLException {
        try (var insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, InvoiceService.QUEUE);
            insert.setString(2, payload);
            insert.executeUpdate();
        }
    }
}
