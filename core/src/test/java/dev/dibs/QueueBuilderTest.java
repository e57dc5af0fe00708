package dev.dibs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dibs.table.QueueException;
import dev.dibs.table.QueueTable;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The class path of these tests has no dialect, so a name that is accepted is told by the refusal that comes next. */
final class QueueBuilderTest {

    private static final EmailJobs JOBS = new EmailJobs();

    private final DSLContext dsl = DSL.using(SQLDialect.POSTGRES);
    private final QueueTable<String> table = QueueTable.of(JOBS, JOBS.id, JOBS.payload);

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void aBlankNameIsRefused(String name) {
        assertThatThrownBy(() -> Queue.of(dsl, table, name))
                .isInstanceOf(QueueException.class)
                .hasMessage("table \"email_jobs\": the queue's name is \"%s\"; give it a name that is not blank", name);
    }

    @Test
    void aNameWithNulIsRefused() {
        assertThatThrownBy(() -> Queue.of(dsl, table, "a\0b"))
                .isInstanceOf(QueueException.class)
                .hasMessageContainingAll("table \"email_jobs\"", "NUL");
    }

    @Test
    void aNameLongerThanItsColumnIsRefused() {
        assertThatThrownBy(() -> Queue.of(dsl, table.queue(JOBS.queue), "emails-of-the-weekend"))
                .isInstanceOf(QueueException.class)
                .hasMessage("table \"email_jobs\": the queue's name has 21 characters, and its column name holds 20;"
                        + " choose a shorter one than \"emails-of-the-weekend\"");
    }

    @Test
    void aNameThatFillsItsColumnIsAccepted() {
        assertThatThrownBy(() -> Queue.of(dsl, table.queue(JOBS.queue), "e".repeat(EmailJobs.QUEUE_LENGTH)))
                .hasMessageContaining("no dialect serves");
    }

    @Test
    void aNameIsOfAnyLengthWhereNoColumnHoldsIt() {
        assertThatThrownBy(() -> Queue.of(dsl, table, "e".repeat(10_000))).hasMessageContaining("no dialect serves");
    }

    @Test
    void aNameIsOfAnyLengthWhereItsColumnHasNone() {
        assertThatThrownBy(() -> Queue.of(dsl, table.queue(JOBS.error), "e".repeat(10_000)))
                .hasMessageContaining("no dialect serves");
    }

    @ParameterizedTest
    @CsvSource({"POSTGRES, Postgres", "MYSQL, MySQL", "MARIADB, MariaDB", "SQLITE, SQLite", "H2, H2", "DEFAULT, ''"})
    void aDatabaseThatNoDialectServesIsRefused(SQLDialect database, String name) {
        assertThatThrownBy(() -> Queue.of(DSL.using(database), table, "emails"))
                .isInstanceOf(QueueException.class)
                .hasMessage(
                        "queue \"emails\" in table \"email_jobs\": no dialect serves %s; add dibs-postgres, dibs-mysql"
                                + " (which serves MariaDB too) or dibs-sqlite to the class path, and give the DSLContext"
                                + " the SQLDialect of its database",
                        name);
    }

    @Test
    void aQueueIsNamedByItsNameAndItsTable() {
        assertThat(NoDatabase.queue(table, "emails")).hasToString("queue \"emails\" in table \"email_jobs\"");
    }

    @Test
    void aNameIsMeasuredInCharactersAsItsColumnIs() {
        var smiles = "\uD83D\uDE00".repeat(EmailJobs.QUEUE_LENGTH);

        assertThatThrownBy(() -> Queue.of(dsl, table.queue(JOBS.queue), smiles))
                .hasMessageContaining("no dialect serves");
    }

    @Test
    void aQueueIsNotItsOwnDeadQueue() {
        var itsOwn = table.queue(JOBS.queue).deadQueue("emails");

        assertThatThrownBy(() -> Queue.of(dsl, itsOwn, "emails"))
                .isInstanceOf(QueueException.class)
                .hasMessageContaining("dead");
    }
}
