package dev.dibs.testkit;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.jooq.impl.DSL;

/** A running database server on which tests make databases of their own. */
interface Server {

    /** How it was had, for people: a URL, an image, an embedded version. */
    String origin();

    /** A new, empty database. */
    Address newDatabase(String name);

    /** A server that has this administrator's database. */
    record ByAddress(String origin, Address administrator) implements Server {

        @Override
        public Address newDatabase(String name) {
            try (var connection =
                    DriverManager.getConnection(administrator.url(), administrator.user(), administrator.password())) {
                DSL.using(connection, administrator.dialect())
                        .createDatabase(DSL.name(name))
                        .execute();
            } catch (SQLException unreachable) {
                throw new IllegalStateException(
                        "no test database can be made at %s: %s".formatted(origin, unreachable.getMessage()),
                        unreachable);
            }
            return new Address(
                    withDatabase(administrator.url(), name),
                    administrator.user(),
                    administrator.password(),
                    administrator.dialect());
        }

        // jdbc:postgresql://host:port/DATABASE?options: only the database's name is another.
        private static String withDatabase(String url, String name) {
            var end = url.indexOf('?') < 0 ? url.length() : url.indexOf('?');
            var start = url.lastIndexOf('/', end - 1) + 1;
            return url.substring(0, start) + name + url.substring(end);
        }
    }
}
