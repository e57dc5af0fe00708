package dev.dibs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InvoiceRunInputTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void anUnknownDatabaseIsRefusedWithTheOnesThatAreServed() throws Exception {
        assertThat(refused("--url", "jdbc:h2:mem:test"))
                .contains("\"jdbc:h2:mem:test\"")
                .contains("jdbc:sqlite:, jdbc:postgresql:, jdbc:mysql: or jdbc:mariadb:");
        assertThat(refused("--database", "oracle"))
                .contains("oracle")
                .contains("sqlite", "postgresql", "mysql", "mariadb");
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsNamedWithTheRemedyAndWithoutItsSecrets() throws Exception {
        assertThat(refused("--url", "jdbc:postgresql://localhost:1/none?password=secret"))
                .contains("jdbc:postgresql://localhost:1/none does not answer")
                .contains("is it running")
                .doesNotContain("secret")
                .doesNotContain("\tat ");
    }

    @Test
    void mysqlWithoutAUrlIsToldToGiveOne() throws Exception {
        assertThat(refused("--database", "mysql")).contains("no embedded MySQL").contains("--url jdbc:mysql://");
    }

    @Test
    void aBrokenLineOfTheCsvIsNamedAndNothingIsEnqueued() throws Exception {
        var lines = Files.readAllLines(Path.of("data", "invoices.csv"));
        var broken = Files.write(folder.resolve("broken.csv"), lines.subList(0, 5));
        Files.writeString(broken, Files.readString(broken) + "INV-1,only,three\n");

        assertThat(refused("--invoices", broken.toString()))
                .contains("broken.csv")
                .contains("line 6");

        assertThat(folder.resolve("invoices.sqlite")).doesNotExist();
    }

    private String refused(String... arguments) throws IOException, InterruptedException {
        var program = Program.start(folder, arguments);
        var printed = program.end();
        assertThat(program.exitCode()).as(printed).isNotZero();
        return printed;
    }
}
