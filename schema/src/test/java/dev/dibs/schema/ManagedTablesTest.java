package dev.dibs.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ManagedTablesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POSTGRES | select \"My-App\".\"Jobs_message\".\"id\" from \"My-App\".\"Jobs_message\"",
                "MYSQL | select `My-App`.`Jobs_message`.`id` from `My-App`.`Jobs_message`",
                "MARIADB | select `My-App`.`Jobs_message`.`id` from `My-App`.`Jobs_message`"
            })
    void tablesAndColumnsCarryPrefixAndSchema_C35(SQLDialect dialect, String sql) {
        var message = new ManagedTables("My-App", "Jobs_").message();

        assertThat(DSL.using(dialect).render(DSL.select(message.ID).from(message)))
                .isEqualTo(sql);
    }

    @Test
    void withoutASchemaTheConnectionsOwnIsMeant() {
        var tables = new ManagedTables(null, "Jobs_");

        assertThat(tables.deadLetter().getQualifiedName()).isEqualTo(DSL.name("Jobs_dead_letter"));
        assertThat(tables.queue().getQualifiedName()).isEqualTo(DSL.name("Jobs_queue"));
        assertThat(tables.result().getQualifiedName()).isEqualTo(DSL.name("Jobs_result"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "a\"b, QUOTATION MARK",
                "a`b, GRAVE ACCENT",
                "a'b, APOSTROPHE",
                "a\\b, REVERSE SOLIDUS",
                "${b}, LEFT CURLY BRACKET",
                "|a\nb|, LINE FEED (LF)"
            })
    void aNameThatEndsAQuoteIsRefused_C07(String name, String seen) {
        var end = " holds %s; quotes, backslashes, braces and control characters are not allowed in it".formatted(seen);

        assertThatThrownBy(() -> new ManagedTables(null, name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefix \"" + name + "\"" + end);
        assertThatThrownBy(() -> new ManagedTables(name, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema \"" + name + "\"" + end);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567890123456789012345678901",
                "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9-"
            })
    void aPrefixThatWouldBeCutIsRefused(String prefix) {
        assertThatThrownBy(() -> new ManagedTables(null, prefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefix \"" + prefix + "\" has 41 bytes; it has at most 40");
    }

    @Test
    void anEmptySchemaIsRefused() {
        assertThatThrownBy(() -> new ManagedTables("", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schema is empty; name one, or leave it out for the one that the connection is in");
    }
}
