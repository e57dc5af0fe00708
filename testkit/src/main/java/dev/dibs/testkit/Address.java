package dev.dibs.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.jooq.SQLDialect;

/**
 * Where a test's own database is.
 *
 * @param url its JDBC URL
 * @param user empty where there is none
 * @param password empty where there is none
 * @param dialect its jOOQ dialect
 */
public record Address(String url, String user, String password, SQLDialect dialect) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A pool of connections to it, which is soon full and stays so; the caller closes it. */
    public HikariDataSource pool(int size) {
        return new HikariDataSource(settings(size));
    }

    HikariConfig settings(int size) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user.isEmpty() ? null : user);
        config.setPassword(user.isEmpty() ? null : password);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(PATIENCE.toMillis());
        return config;
    }
}
