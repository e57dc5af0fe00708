package dev.dibs.testkit;

import java.util.Locale;
import java.util.Optional;

/** A setting of the tests: a system property such as {@code dibs.test.docker}, else the environment's DIBS_TEST_DOCKER. */
record Setting(String property) {

    static Setting of(String... words) {
        return new Setting("dibs.test." + String.join(".", words));
    }

    /** What it is set to, if it is and not to nothing. */
    Optional<String> value() {
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable())))
                .filter(value -> !value.isBlank());
    }

    /** Its name in the environment. */
    String variable() {
        return property.replace('.', '_').toUpperCase(Locale.ROOT);
    }
}
