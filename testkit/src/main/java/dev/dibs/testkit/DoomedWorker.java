package dev.dibs.testkit;

import dev.dibs.RetryPolicy;
import dev.dibs.table.LockForm;
import dev.dibs.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A worker in a process of its own, of the queue "mail", that is to be killed: it never ends with a message, or it is killed
 * by the one whose payload is "poison".
 */
final class DoomedWorker {

    static final String POISON = "poison";
    static final int HANDLERS = 4;
    static final int DELIVERIES = 4;

    private static final String QUEUE = "mail";
    private static final String CLAIMED = "claimed";

    private final Process process;
    private final BufferedReader output;

    private DoomedWorker(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    static DoomedWorker start(Address address, JobTable jobs, LockForm form, Duration lease) throws IOException {
        return start(address, jobs, form, lease, "never ends");
    }

    /** One that handles all messages but that which kills it. */
    static DoomedWorker poisoned(Address address, JobTable jobs, Duration lease) throws IOException {
        return start(address, jobs, LockForm.LEASE, lease, POISON);
    }

    private static DoomedWorker start(Address address, JobTable jobs, LockForm form, Duration lease, String how)
            throws IOException {
        return new DoomedWorker(
                ChildJvm.of(DoomedWorker.class, address, jobs.getName(), form.name(), lease.toString(), how)
                        .start());
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

    /** Whether it has ended by itself. */
    boolean hasEnded() {
        return !process.isAlive();
    }

    /** Ends it as kill -9 does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        var jobs = new JobTable(args[4]);
        var table = jobs.mapped(LockForm.valueOf(args[5]), new JobTable(args[4] + "_dead"));
        try (var instance = Instance.at(ChildJvm.address(args), 4);
                var worker = instance.queue(table, QUEUE, TimeSource.database())
                        .worker()
                        .concurrency(args[7].equals(POISON) ? HANDLERS : 1)
                        .lease(Duration.parse(args[6]))
                        .retry(RetryPolicy.ofDefaults().attempts(DELIVERIES))
                        .consume(args[7].equals(POISON) ? DoomedWorker::dieOfPoison : DoomedWorker::neverEnd)) {
            worker.join();
        }
    }

    private static void neverEnd(String payload) throws InterruptedException {
        System.out.println(CLAIMED);
        new CountDownLatch(1).await();
    }

    private static void dieOfPoison(String payload) {
        if (payload.equals(POISON)) {
            Runtime.getRuntime().halt(1);
        }
    }
}
