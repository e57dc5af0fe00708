package dev.dibs.mysql;

import dev.dibs.testkit.SkipLockedCheckContract;
import dev.dibs.testkit.TestDatabase;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What MySQL and MariaDB refuse alike. */
abstract class MysqlFamilyCheckContract extends SkipLockedCheckContract {

    MysqlFamilyCheckContract(TestDatabase database) {
        super(database);
    }

    @Test
    void statementsInTheBinaryLogAreRefused() {
        assertRefused(logging("ON", "STATEMENT"))
                .hasMessageContaining("binlog_format is STATEMENT")
                .hasMessageContaining("set it to ROW or MIXED");
    }

    @Test
    void rowsInTheBinaryLogAndStatementsWithoutOneServe() {
        assertServes(logging("ON", "ROW"));
        assertServes(logging("ON", "MIXED"));
        assertServes(logging("OFF", "STATEMENT"));
    }

    @Test
    void aNameThatTheServerWouldNotTakeIsRefused() {
        assertRefused(queueInTable("n".repeat(65)))
                .hasMessageContaining("has 65 characters, and the database keeps 64");
    }

    static UnaryOperator<String> saying(String version) {
        return sql -> sql.replace("version()", "'%s'".formatted(version));
    }

    private static UnaryOperator<String> logging(String binaryLog, String format) {
        return sql -> sql.startsWith("show variables")
                ? "select 'log_bin', '%s' union all select 'binlog_format', '%s'".formatted(binaryLog, format)
                : sql;
    }
}
