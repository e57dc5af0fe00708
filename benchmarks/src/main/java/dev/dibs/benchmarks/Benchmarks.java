package dev.dibs.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures what Dibs costs, beside plain JDBC and other queues, and writes a report. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures what Dibs costs, beside plain JDBC and other queues, and writes a report.",
        subcommands = {Benchmarks.Quick.class, Benchmarks.Full.class, Guard.class})
public final class Benchmarks {

    private static final String MAVEN = "mvn -q -Pbench -Dargs=\"%s\"";

    /** For picocli. */
    Benchmarks() {}

    /** Measures; the exit code is 0 when all that was asked for could be measured. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Benchmarks())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, result) -> {
                    command.getErr().println(command.getColorScheme().errorText("benchmarks: " + failure.getMessage()));
                    return command.getCommandSpec().exitCodeOnExecutionException();
                });
    }

    /** The quick run. */
    @Command(
            name = "quick",
            mixinStandardHelpOptions = true,
            description = "Under five minutes on two cores: SQLite and PostgreSQL.")
    static final class Quick implements Callable<Integer> {

        @Mixin
        private Options options = new Options();

        @Override
        public Integer call() throws IOException {
            return options.run(Size.QUICK, List.of(Database.SQLITE, Database.POSTGRESQL));
        }
    }

    /** The full run. */
    @Command(
            name = "full",
            mixinStandardHelpOptions = true,
            description = "Everything, for hours, on every database that is to be had.")
    static final class Full implements Callable<Integer> {

        @Mixin
        private Options options = new Options();

        @Override
        public Integer call() throws IOException {
            return options.run(Size.FULL, List.of(Database.values()));
        }
    }

    /** What can be said to both. */
    static final class Options {

        @Option(
                names = "--database",
                split = ",",
                description = "Some of ${COMPLETION-CANDIDATES}; a server is taken as the tests take theirs.")
        private List<Database> databases = new ArrayList<>();

        @Option(names = "--url", description = "The JDBC URL of a database of yours, whose user may create databases.")
        private @Nullable String url;

        @Option(names = "--user", description = "The user for --url.")
        private @Nullable String user;

        @Option(names = "--password", description = "The password for --url; or set DIBS_TEST_POSTGRESQL_PASSWORD.")
        private @Nullable String password;

        @Option(names = "--only", description = "A regular expression: the ids of the figures that are wanted.")
        private Pattern only = Run.EVERYTHING;

        @Option(names = "--report", description = "Where the report goes: ${DEFAULT-VALUE}.")
        private Path folder = Path.of("benchmarks", "target", "report");

        @Parameters(arity = "0..*", description = "After --, JMH's own options: -- -f 3 -i 10.")
        private List<String> jmhOptions = new ArrayList<>();

        int run(Size size, List<Database> usual) throws IOException {
            Servers.areToFlush();
            var chosen = Optional.ofNullable(url)
                    .map(given -> List.of(Servers.at(given, user, password)))
                    .orElse(databases.isEmpty() ? usual : databases);
            var work = Work.of(chosen, only);
            if (work.isEmpty()) {
                throw new IllegalArgumentException(
                        "--only=%s fits no figure of %s; docs/benchmarks.md lists the ids".formatted(only, chosen));
            }
            var findings = new Findings(only, id -> MAVEN.formatted(arguments(size, id)));
            var measured = work.stream().map(Work::database).distinct().toList();
            var report = new Report(size, findings, Machine.facts(measured), measured);
            var failures = measure(work, size, report);
            System.out.println(Report.table(findings));
            System.out.printf("The report: %s%n", folder.resolve("index.html").toAbsolutePath());
            failures.forEach(failure -> System.out.printf("NOT MEASURED: %s%n", failure));
            return failures.isEmpty() ? 0 : 1;
        }

        // The report is written after each scenario, so that a run that is broken off leaves what it has found.
        private List<String> measure(List<Work> work, Size size, Report report) throws IOException {
            var failures = new ArrayList<String>();
            try (var bar = progress(work.size())) {
                var run = new Run(size, only, jmhOptions, folder, bar::setExtraMessage);
                for (var each : work) {
                    each.measure(run, report.findings()).ifPresent(failures::add);
                    Report.write(folder, report);
                    bar.step();
                }
                bar.setExtraMessage("");
            }
            return failures;
        }

        private String arguments(Size size, String id) {
            var words = new ArrayList<String>();
            words.add(size.name());
            words.add(
                    Optional.ofNullable(url).map(given -> "--url=" + given).orElse("--database=" + Database.named(id)));
            words.add("--only=" + id);
            if (!jmhOptions.isEmpty()) {
                words.add("--");
                words.addAll(jmhOptions);
            }
            return String.join(" ", words);
        }

        private static ProgressBar progress(int steps) {
            return new ProgressBarBuilder()
                    .setTaskName("Measuring")
                    .setInitialMax(steps)
                    .setUpdateIntervalMillis(500)
                    .build();
        }
    }
}
