package dev.dibs.postgres;

import dev.dibs.spi.TableChannel;
import dev.dibs.wake.WakeRegistry.Sleepers;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A table whose workers listen: its channel, who sleeps, and whether they may sleep long. Safe for any thread. */
final class ListenedTable {

    private final Supplier<TableChannel> catalog;
    private final SleepGate gate;
    private final Map<String, Map<Sleepers, Integer>> workers = new ConcurrentHashMap<>();
    private volatile TableChannel channel;

    /**
     * A table without workers.
     *
     * @param catalog reads how the table announces its inserts now
     */
    ListenedTable(Supplier<TableChannel> catalog, SleepGate gate) {
        this.catalog = catalog;
        this.gate = gate;
        this.channel = catalog.get();
    }

    TableChannel channel() {
        return channel;
    }

    SleepGate gate() {
        return gate;
    }

    /** Reads anew how the table announces its inserts. */
    void refresh() {
        channel = catalog.get();
    }

    void add(String queue, Sleepers sleepers) {
        workers.computeIfAbsent(queue, name -> new ConcurrentHashMap<>()).merge(sleepers, 1, Integer::sum);
    }

    void remove(String queue, Sleepers sleepers) {
        workers.computeIfPresent(queue, (name, present) -> {
            present.computeIfPresent(sleepers, (key, times) -> times == 1 ? null : times - 1);
            return present.isEmpty() ? null : present;
        });
    }

    boolean isDeserted() {
        return workers.isEmpty();
    }

    /** Wakes a worker of a queue; with an empty name, one of each. */
    void wake(String queue) {
        workers.forEach((name, sleepers) -> {
            if (queue.isEmpty() || queue.equals(name)) {
                sleepers.keySet().forEach(Sleepers::wake);
            }
        });
    }

    /** Wakes all workers of all queues. */
    void wakeAll() {
        workers.values().forEach(sleepers -> sleepers.keySet().forEach(Sleepers::wakeAll));
    }
}
