package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DatabaseTest {

    @Test
    void oneFileHasOneNameHoweverItIsWritten() {
        assertThat(Database.of("jdbc:sqlite:some/../queue.db?journal_mode=WAL"))
                .isEqualTo(Database.of("jdbc:sqlite:file:queue.db"))
                .returns(false, Database::isMemory);
    }

    @Test
    void memoryIsSharedOnlyWhereTheUrlSaysSo() {
        assertThat(Database.of("jdbc:sqlite:file:x?mode=memory&cache=shared"))
                .returns(true, Database::isMemory)
                .returns(true, Database::isShared);
        assertThat(Database.of("jdbc:sqlite::memory:"))
                .returns(true, Database::isMemory)
                .returns(false, Database::isShared);
    }
}
