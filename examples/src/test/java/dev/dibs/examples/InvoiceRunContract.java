package dev.dibs.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.examples.invoices.InvoiceFile;
import dev.dibs.examples.invoices.RawInvoice;
import dev.dibs.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the invoice run promises on every database. */
abstract class InvoiceRunContract {

    private static final String MALFORMED = "INV-2026-0137";
    private static final int FOREIGN = 24;

    private final TestDatabase database;

    @TempDir
    Path folder = Path.of("");

    InvoiceRunContract(TestDatabase database) {
        this.database = database;
    }

    @Test
    void everyInvoiceIsRenderedOnceAndTheMalformedOneIsNamed() throws Exception {
        var address = database.newDatabase();
        var program = Program.start(
                folder, "--url", address.url(), "--user", address.user(), "--password", address.password());

        var printed = program.end();

        assertThat(program.exitCode()).as(printed).isZero();
        assertThat(pages()).containsAll(wellFormed()).hasSize(wellFormed().size() + FOREIGN);
        assertThat(printed)
                .contains("rendered       %d invoices".formatted(wellFormed().size() + FOREIGN))
                .contains("retried        2 times")
                .contains("dead-lettered  1")
                .contains("invoice \"%s\", line 2: quantity is \"twelve\"".formatted(MALFORMED))
                .contains("instance 1", "instance 2", "p50", "p99", "messages/s", "24 rows of the second program");
    }

    @Test
    void aRunThatIsToldToEndDrainsAndLosesNothing() throws Exception {
        var address = database.newDatabase();
        String[] options = {"--url", address.url(), "--user", address.user(), "--password", address.password()};
        var program = Program.start(folder, options);
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> !pages().isEmpty());

        var secondProgram = program.process().descendants().toList();
        program.terminate();
        program.end();
        secondProgram.forEach(process -> process.onExit().join());

        try (var pool = address.pool(1)) {
            var dsl = DSL.using(pool, address.dialect());
            assertThat(dsl.fetchCount(
                            DSL.table("dibs_message"), DSL.field("leased_until").isNotNull()))
                    .as("rows that are still held")
                    .isZero();
        }
        var second = Program.start(folder, withOnlyRest(options));
        assertThat(second.end()).contains("left by an earlier run");
        assertThat(second.exitCode()).isZero();
        assertThat(pages()).containsAll(wellFormed());
    }

    private static String[] withOnlyRest(String[] options) {
        var all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = "--only-rest";
        return all;
    }

    private static Set<String> wellFormed() {
        return InvoiceFile.read(Path.of("data", "invoices.csv")).stream()
                .map(RawInvoice::number)
                .filter(number -> !number.equals(MALFORMED))
                .collect(Collectors.toSet());
    }

    private Set<String> pages() {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".html"))
                    .map(name -> name.substring(0, name.length() - ".html".length()))
                    .collect(Collectors.toSet());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
