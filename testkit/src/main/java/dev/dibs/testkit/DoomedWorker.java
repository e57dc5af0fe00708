package dev.dibs.testkit;

import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jooq.SQLDialect;

/** A worker in a process of its own that takes a message of the queue "mail" and never ends with it, to be killed. */
final class DoomedWorker {

    private static final String QUEUE = "mail";
    private static final String CLAIMED = "claimed";

    private final Process process;
    private final BufferedReader output;

    private DoomedWorker(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    static DoomedWorker start(Address address, JobTable jobs, LockForm form, Duration lease) throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var builder = new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                DoomedWorker.class.getName(),
                address.url(),
                address.user(),
                address.password(),
                address.dialect().name(),
                jobs.getName(),
                form.name(),
                lease.toString());
        return new DoomedWorker(
                builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /** Waits until it has a message in work. */
    void awaitClaim() throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals(CLAIMED)) {
                return;
            }
        }
        throw new AssertionError("the worker's process ended before it had claimed anything");
    }

    /** Ends it as kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        var address = new Address(args[0], args[1], args[2], SQLDialect.valueOf(args[3]));
        var jobs = new JobTable(args[4]);
        var table = jobs.mapped(LockForm.valueOf(args[5]), new JobTable(args[4] + "_dead"));
        try (var instance = Instance.at(address, 2);
                var worker = instance.queue(table, QUEUE, TimeSource.database())
                        .worker()
                        .lease(Duration.parse(args[6]))
                        .consume(payload -> {
                            System.out.println(CLAIMED);
                            new CountDownLatch(1).await();
                        })) {
            worker.join();
        }
    }
}
