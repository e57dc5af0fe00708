package dev.dibs.postgres;

import dev.dibs.testkit.Address;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** A connection that listens to some channels. */
final class Ear implements AutoCloseable {

    private static final String END = "the_end";
    private static final int SLICE = 10_000;

    private final Connection connection;

    private Ear(Connection connection) {
        this.connection = connection;
    }

    static Ear at(Address address, String... channels) throws SQLException {
        var ear = new Ear(DriverManager.getConnection(address.url(), address.user(), address.password()));
        for (var channel : channels) {
            ear.execute("listen \"%s\"".formatted(channel));
        }
        ear.execute("listen " + END);
        return ear;
    }

    /** The next notification, of the form {@code channel payload}; waits for it. */
    String next() throws SQLException {
        return read(1).get(0);
    }

    /** That many, in their order; waits for them. */
    List<String> next(int number) throws SQLException {
        return read(number);
    }

    /** All that were sent before this. */
    List<String> heard() throws SQLException {
        execute("notify " + END);
        var all = new ArrayList<String>();
        while (all.isEmpty() || !all.get(all.size() - 1).startsWith(END)) {
            all.addAll(slice());
        }
        all.remove(all.size() - 1);
        return all;
    }

    private List<String> read(int number) throws SQLException {
        var all = new ArrayList<String>();
        while (all.size() < number) {
            all.addAll(slice());
        }
        return all;
    }

    private List<String> slice() throws SQLException {
        var slice = new ArrayList<String>();
        for (PGNotification each : connection.unwrap(PGConnection.class).getNotifications(SLICE)) {
            slice.add((each.getName() + " " + each.getParameter()).strip());
        }
        return slice;
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
