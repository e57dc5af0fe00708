package dev.dibs.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ProductTest {

    @ParameterizedTest
    @CsvSource({
        "9.7.4-2, MYSQL",
        "8.0.34-0ubuntu0, MYSQL",
        "8.0.36-28, MYSQL",
        "5.5.5-10.5.12-MariaDB, MARIADB",
        "10.11.6-MariaDB-1:10.11.6+maria~deb12, MARIADB",
        "11.8.9-MariaDB-0+deb13u1 from Debian, MARIADB"
    })
    void aServerIsKnownByItsAnswer(String answer, Product product) {
        assertThat(Product.of(answer)).contains(product);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0.11-TiDB-v7.5.0", "PostgreSQL 18.1 (Debian 18.1-1) on x86_64-pc-linux-gnu", ""})
    void anotherServerIsNone(String answer) {
        assertThat(Product.of(answer)).isEmpty();
    }
}
