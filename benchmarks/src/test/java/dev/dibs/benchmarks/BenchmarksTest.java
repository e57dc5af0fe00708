package dev.dibs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksTest {

    @TempDir
    private Path folder;

    private final StringWriter errors = new StringWriter();

    @Test
    void aFigureThatIsAskedForIsMeasuredAndReportedAlone() {
        var code = execute(
                "quick", "--only=sqlite.enqueue.tx.vs-raw", "--", "-f", "0", "-wi", "0", "-i", "1", "-r", "100ms");

        assertThat(code).isZero();
        assertThat(folder.resolve("summary.json"))
                .content()
                .contains("\"id\" : \"sqlite.enqueue.tx.vs-raw\"")
                .contains("quick --database=sqlite --only=sqlite.enqueue.tx.vs-raw -- -f 0 -wi 0 -i 1 -r 100ms")
                .containsOnlyOnce("\"id\"");
        assertThat(folder.resolve("index.html")).content().contains("SQLite: Enqueue");
        assertThat(folder.resolve("jmh-sqlite.json")).isNotEmptyFile();
    }

    @Test
    void anIdThatNoFigureHasIsRefused() {
        var code = execute("quick", "--only=sqlite.speed");

        assertThat(code).isNotZero();
        assertThat(errors.toString())
                .contains(
                        "--only=sqlite.speed fits no figure of [sqlite, postgresql]; docs/benchmarks.md lists the ids");
    }

    @Test
    void aUrlOfAnotherDatabaseIsRefused() {
        var code = execute("full", "--url=jdbc:h2:mem:test");

        assertThat(code).isNotZero();
        assertThat(errors.toString())
                .contains(
                        "the JDBC URL \"jdbc:h2:mem:test\" names none of the databases that are measured; it begins with"
                                + " jdbc:postgresql:, jdbc:mysql:, jdbc:mariadb:, jdbc:sqlite:");
    }

    private int execute(String command, String... arguments) {
        var words = new ArrayList<String>();
        words.add(command);
        words.add("--report=" + folder);
        words.addAll(List.of(arguments));
        return Benchmarks.commandLine().setErr(new PrintWriter(errors, true)).execute(words.toArray(String[]::new));
    }
}
