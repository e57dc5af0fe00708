package dev.dibs.examples;

import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.examples.invoices.InvoiceFile;
import dev.dibs.examples.invoices.RawInvoice;
import dev.dibs.schema.QueueSchema;
import dev.dibs.table.Part;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jooq.impl.DSL;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Renders a file of invoices with two instances of the invoice service, while a second program writes more. */
@Command(
        name = "invoices",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Renders invoices from a queue: two instances, four handlers each.")
public final class InvoiceRun implements Callable<Integer> {

    private static final int FOREIGN_ROWS = 24;

    @Option(
            names = "--database",
            defaultValue = "${sys:database:-sqlite}",
            description = "One of ${COMPLETION-CANDIDATES}; without --url a file, or a server out of Maven artifacts.")
    private Database database = Database.sqlite;

    @Option(names = "--url", defaultValue = "${sys:url:-}", description = "The JDBC URL of a database of yours.")
    private String url = "";

    @Option(names = "--user", defaultValue = "${sys:user:-}", description = "The user for --url.")
    private String user = "";

    @Option(names = "--password", defaultValue = "${sys:password:-}", description = "The password for --url.")
    private String password = "";

    @Option(names = "--invoices", defaultValue = "examples/data/invoices.csv", description = "The invoices, as CSV.")
    private Path invoices = Path.of("examples/data/invoices.csv");

    @Option(names = "--output", defaultValue = "examples/target/invoices", description = "Where the pages go.")
    private Path output = Path.of("examples/target/invoices");

    @Option(names = "--only-rest", description = "Enqueues nothing: works off what an earlier run has left.")
    private boolean onlyRest;

    private InvoiceRun() {}

    /** Runs it; the exit code is 0 when every message has come to its end. */
    public static void main(String[] args) {
        var code = new CommandLine(new InvoiceRun())
                .setExecutionExceptionHandler((failure, command, result) -> {
                    command.getErr().println(command.getColorScheme().errorText("invoices: " + failure.getMessage()));
                    return command.getCommandSpec().exitCodeOnExecutionException();
                })
                .execute(args);
        if (code != 0) {
            System.exit(code);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        var originals = onlyRest ? List.<RawInvoice>of() : InvoiceFile.read(invoices);
        var place = url.isBlank() ? Place.provided(database, output) : Place.at(url, user, password);
        try (var pool = place.pool(2)) {
            QueueSchema.migrate(pool);
            var queue = InvoiceService.queue(pool, place);
            var rest = waiting(pool, place, queue);
            queue.enqueueAll(originals.stream().map(RawInvoice::payload).toList());
            var copies = originals.subList(0, Math.min(FOREIGN_ROWS, originals.size()));
            System.out.printf(
                    "%s: %d invoices enqueued, %d left by an earlier run, %d to come from a second program%n",
                    place.database(), originals.size(), rest, copies.size());
            var statistics = render(place, rest + originals.size() + copies.size(), copies);
            System.out.println(statistics.summary());
            System.out.printf("The pages are in %s%n", output.toAbsolutePath());
        }
        return 0;
    }

    private Statistics render(Place place, int expected, List<RawInvoice> copies) throws InterruptedException {
        try (var progress = progress(expected)) {
            var statistics = new Statistics(expected, progress);
            work(place, statistics, copies);
            return statistics;
        }
    }

    @SuppressWarnings("try") // the instances work until they are closed
    private void work(Place place, Statistics statistics, List<RawInvoice> copies) throws InterruptedException {
        try (var first = InvoiceService.start("instance 1", place, output, statistics);
                var second = InvoiceService.start("instance 2", place, output, statistics)) {
            var writer = SecondProgram.start(place, copies);
            statistics.awaitEnd(writer);
            writer.waitFor();
        }
    }

    private static int waiting(HikariDataSource pool, Place place, Queue<String> queue) {
        var name = queue.table().column(Part.QUEUE);
        return DSL.using(pool, place.database().dialect())
                .fetchCount(queue.table().table(), name.eq(queue.name()));
    }

    private static ProgressBar progress(int expected) {
        return new ProgressBarBuilder()
                .setTaskName("Rendering")
                .setInitialMax(expected)
                .setUpdateIntervalMillis(50)
                .build();
    }
}
