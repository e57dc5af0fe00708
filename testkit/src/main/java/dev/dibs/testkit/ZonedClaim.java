package dev.dibs.testkit;

import dev.dibs.Outcome;
import dev.dibs.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jooq.SQLDialect;

/** A worker in a process of its own, whose JVM is in a zone of its own, that tells the due times of what it handles. */
final class ZonedClaim {

    private ZonedClaim() {}

    /** The due times of the first messages that a JVM in that zone handles. */
    static List<Instant> dueTimes(Address address, TimeType type, String zone, int messages) throws IOException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.timezone=" + zone,
                        "-cp",
                        System.getProperty("java.class.path"),
                        ZonedClaim.class.getName(),
                        address.url(),
                        address.user(),
                        address.password(),
                        address.dialect().name(),
                        type.name(),
                        Integer.toString(messages))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var output = process.inputReader()) {
            return output.lines()
                    .filter(line -> line.startsWith("due "))
                    .map(line -> Instant.parse(line.substring("due ".length())))
                    .toList();
        }
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        var address = new Address(args[0], args[1], args[2], SQLDialect.valueOf(args[3]));
        var table = new TimedTable(TimeType.valueOf(args[4])).withToken();
        var due = new LinkedBlockingQueue<Instant>();
        try (var instance = Instance.at(address, 2)) {
            var worker = instance.queue(table, "jobs", TimeSource.database())
                    .worker()
                    .pollInterval(Duration.ofMillis(100))
                    .handle(delivery -> {
                        due.add(delivery.dueAt().orElseThrow());
                        return Outcome.done();
                    });
            for (int count = Integer.parseInt(args[5]); count > 0; count--) {
                System.out.println("due " + due.take());
            }
            worker.close();
        }
    }
}
