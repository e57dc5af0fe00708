package dev.dibs.testkit;

import dev.dibs.Outcome;
import dev.dibs.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/** Workers in a process whose JVM is in a zone of its own, that tell the due times of what they handle. */
final class ZonedClaim {

    private ZonedClaim() {}

    /** The due times of the first messages that a JVM in that zone handles of each type's table. */
    static Map<TimeType, List<Instant>> dueTimes(Map<TimeType, Address> tables, String zone, int messages)
            throws IOException {
        var arguments = new ArrayList<String>(List.of(Integer.toString(messages)));
        tables.forEach((type, address) -> arguments.addAll(List.of(type.name(), address.url())));
        var anyOf = tables.values().iterator().next();
        var process = ChildJvm.of(
                        ZonedClaim.class, List.of("-Duser.timezone=" + zone), anyOf, arguments.toArray(String[]::new))
                .start();
        try (var output = process.inputReader()) {
            return output.lines()
                    .filter(line -> line.startsWith("due "))
                    .map(line -> line.split(" ", -1))
                    .collect(Collectors.groupingBy(
                            words -> TimeType.valueOf(words[1]),
                            () -> new EnumMap<>(TimeType.class),
                            Collectors.mapping(words -> Instant.parse(words[2]), Collectors.toList())));
        }
    }

    /** The process. */
    public static void main(String[] args) throws InterruptedException {
        var anyOf = ChildJvm.address(args);
        var messages = Integer.parseInt(args[ChildJvm.ADDRESS]);
        for (int type = ChildJvm.ADDRESS + 1; type < args.length; type += 2) {
            tell(
                    TimeType.valueOf(args[type]),
                    new Address(args[type + 1], anyOf.user(), anyOf.password(), anyOf.dialect()),
                    messages);
        }
    }

    private static void tell(TimeType type, Address address, int messages) throws InterruptedException {
        var due = new LinkedBlockingQueue<Instant>();
        try (var instance = Instance.at(address, 2)) {
            var worker = instance.queue(new TimedTable(type).withToken(), "jobs", TimeSource.database())
                    .worker()
                    .pollInterval(Duration.ofMillis(100))
                    .handle(delivery -> {
                        due.add(delivery.dueAt().orElseThrow());
                        return Outcome.done();
                    });
            for (int count = messages; count > 0; count--) {
                System.out.println("due %s %s".formatted(type.name(), due.take()));
            }
            worker.close();
        }
    }
}
