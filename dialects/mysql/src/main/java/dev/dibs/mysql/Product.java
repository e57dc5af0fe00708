package dev.dibs.mysql;

import dev.dibs.spi.ServerCheck.Floor;
import java.util.Locale;
import java.util.Optional;
import org.jooq.SQLDialect;

/** The servers of the family, each with the oldest version that skips locked rows. */
enum Product {
    MYSQL(SQLDialect.MYSQL, "MySQL", "8.0.1"),
    MARIADB(SQLDialect.MARIADB, "MariaDB", "10.6");

    private final SQLDialect dialect;

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts
    private final Floor floor;

    Product(SQLDialect dialect, String label, String oldest) {
        this.dialect = dialect;
        this.floor = new Floor(label, oldest, "skip locked rows");
    }

    /** Which product answers so when it is asked for its version; none for another server that speaks its protocol. */
    static Optional<Product> of(String answer) {
        var words = answer.toLowerCase(Locale.ROOT);
        if (words.contains("mariadb")) {
            return Optional.of(MARIADB);
        }
        // TiDB says 8.0.11-TiDB-v7.5.0; it parses skip locked, and waits.
        return words.matches("\\d.*") && !words.contains("tidb") ? Optional.of(MYSQL) : Optional.empty();
    }

    SQLDialect dialect() {
        return dialect;
    }

    Floor floor() {
        return floor;
    }
}
