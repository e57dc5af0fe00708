package dev.dibs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    @TempDir
    private Path folder;

    private final Findings findings = new Findings(Run.EVERYTHING, id -> "repeat " + id);

    @BeforeEach
    void find() {
        findings.figure("postgresql.enqueue.tx.vs-raw", 0.95);
        findings.figure("sqlite.wake.other-process.p50", 7.25);
        findings.figure("mysql.row-lock.worker.vs-raw-batch", 0.25);
    }

    @Test
    void theSummaryHasEachFigureWithItsUnitTargetAndCommand() throws IOException {
        var summary = summary();

        assertThat(summary).hasSize(3);
        assertThat(summary.get(0).toString())
                .isEqualTo("{\"id\":\"postgresql.enqueue.tx.vs-raw\",\"value\":0.95,\"unit\":\"ratio\",\"target\":0.9,"
                        + "\"met\":true,\"command\":\"repeat postgresql.enqueue.tx.vs-raw\"}");
        assertThat(summary.get(1).get("unit").asText()).isEqualTo("ms");
        assertThat(summary.get(1).get("met").asBoolean()).isFalse();
    }

    @Test
    void aFigureOfWhichNothingIsWantedHasNoTarget() throws IOException {
        var figure = summary().get(2);

        assertThat(figure.get("target").isNull()).isTrue();
        assertThat(figure.get("met").isNull()).isTrue();
    }

    @Test
    void aFigureThatWasNotMeasuredIsAbsent() throws IOException {
        findings.figure("sqlite.enqueue.tx.vs-raw", Double.NaN);

        assertThat(summary()).hasSize(3);
    }

    @Test
    void aFigureThatWasNotAskedForIsAbsent() {
        var asked = new Findings(Pattern.compile("sqlite\\..*"), id -> "");

        asked.figure("postgresql.enqueue.tx.vs-raw", 1);
        asked.figure("sqlite.enqueue.tx.vs-raw", 1);

        assertThat(asked.figures()).extracting(Figure::id).containsExactly("sqlite.enqueue.tx.vs-raw");
    }

    @Test
    void thePageShowsFiguresBesideTheirTargetsAndNeedsNothingElse() throws IOException {
        findings.point(new Point(Chart.THREADS, Database.POSTGRESQL, "lease: worker", "16", 30_000));
        findings.remark("Beware of </script> in a text.");
        write();

        assertThat(folder.resolve("index.html"))
                .content()
                .contains("postgresql.enqueue.tx.vs-raw", "&gt;= 0.9", "missed", "repeat sqlite.wake.other-process.p50")
                .contains("PostgreSQL: Draining a backlog", "lease: worker", "for update skip locked")
                .contains("Beware of &lt;/script&gt; in a text.")
                .doesNotContain("src=\"http", "href=\"http");
    }

    @Test
    void placesOfAPlotAreInTheOrderOfTheirNumbers() {
        for (var place : List.of("16", "1,000", "4")) {
            findings.point(new Point(Chart.THREADS, Database.SQLITE, "raw", place, 1));
        }

        assertThat(report().plots().get(0).places()).containsExactly("4", "16", "1,000");
    }

    private JsonNode summary() throws IOException {
        write();
        return new ObjectMapper().readTree(Files.readString(folder.resolve("summary.json")));
    }

    private void write() throws IOException {
        Report.write(folder, report());
    }

    private Report report() {
        return new Report(Size.QUICK, findings, Map.of("Measured", "today"), List.of(Database.POSTGRESQL));
    }
}
