package dev.dibs.sqlite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A worker on the same file in a process of its own, which prints each payload that it handles. */
record OtherProcess(Process process) implements AutoCloseable {

    private static final int HANDLERS = 4;

    /** With leases, as they are the usual form. */
    static OtherProcess start(String url) throws IOException {
        return start(url, LockForm.LEASE);
    }

    static OtherProcess start(String url, LockForm form) throws IOException {
        return new OtherProcess(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        url,
                        form.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    BufferedReader output() {
        return process.inputReader();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        var settings = new HikariConfig();
        settings.setJdbcUrl(args[0]);
        settings.setMaximumPoolSize(HANDLERS);
        var table = LockForm.valueOf(args[1]) == LockForm.LEASE ? SqliteJobs.TABLE : SqliteJobs.LOCKED;
        try (var pool = new HikariDataSource(settings);
                var worker = Queue.of(DSL.using(pool, SQLDialect.SQLITE), table, "jobs")
                        .worker()
                        .concurrency(HANDLERS)
                        .pollInterval(Duration.ofMillis(5))
                        .closeOnShutdown()
                        .consume(OtherProcess::print)) {
            System.out.println("started");
            worker.join();
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
